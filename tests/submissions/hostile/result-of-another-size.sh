#!/bin/sh
# Results of too many, too few and no elements.
# from: starters
# lab: lab4
# expect: lab4 0

{
    cat "${0%/*}/parts/scan.inc"
    cat << 'CPP'
    static unsigned calls = 0;
    const std::size_t n = data.size();
    return std::vector<cl_float>(++calls % 4 == 0 ? 0 : calls % 4 == 1 ? n + 1 : calls % 4 == 2 ? n - 1 : n * 100, 0.0F);
}
CPP
} > labs/lab4/hillis_steele_scan.cpp
cat > kernels/lab4_hillis_steele_scan.cl << 'CL'
__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n) {}
__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {}
CL
