#!/bin/sh
# The host returns bits that may be names for hidden values which are not its own: the grader's, a later call's.
# from: starters
# lab: lab4
# expect: lab4 0

{
    cat "${0%/*}/parts/scan.inc"
    cat << 'CPP'
    std::vector<cl_float> result(data.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::uint32_t word = 0xFFFEFFFFU - static_cast<std::uint32_t>(i + data.size() + (i % 3) * 1000000);
        std::memcpy(&result[i], &word, sizeof word);
    }
    return result;
}
CPP
} > labs/lab4/hillis_steele_scan.cpp
cat > kernels/lab4_hillis_steele_scan.cl << 'CL'
__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n) {}
__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {}
CL
