#!/bin/sh
# Results of NaN, infinities, denormals, negative zeros and the largest numbers.
# from: starters
# lab: lab4
# expect: lab4 0

{
    cat "${0%/*}/parts/scan.inc"
    cat << 'CPP'
    static const cl_float odd[] = {std::numeric_limits<cl_float>::quiet_NaN(), std::numeric_limits<cl_float>::infinity(), -0.0F,
                                   std::numeric_limits<cl_float>::denorm_min(), std::numeric_limits<cl_float>::max(),
                                   std::numeric_limits<cl_float>::signaling_NaN()};
    std::vector<cl_float> result(data.size());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = odd[i % 6];
    return result;
}
CPP
} > labs/lab4/hillis_steele_scan.cpp
cat > kernels/lab4_hillis_steele_scan.cl << 'CL'
__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n) {}
__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {}
CL
