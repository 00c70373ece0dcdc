#!/bin/sh
# The host moves its arguments about by their bits, in case those tell which is larger.
# from: starters
# lab: lab4
# expect: lab4 0

{
    cat "${0%/*}/parts/scan.inc"
    cat << 'CPP'
    std::vector<cl_float> result = data;
    std::sort(result.begin(), result.end(), [](const cl_float& a, const cl_float& b) { return std::memcmp(&a, &b, sizeof a) < 0; });
    return result;
}
CPP
} > labs/lab4/hillis_steele_scan.cpp
cat > kernels/lab4_hillis_steele_scan.cl << 'CL'
__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n) {}
__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {}
CL
