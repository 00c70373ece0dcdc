#!/bin/sh
# The result is what lies in fresh memory: perhaps the last call's, or the grader's.
# from: starters
# lab: lab4
# expect: lab4 0

{
    cat "${0%/*}/parts/scan.inc"
    cat << 'CPP'
    std::vector<cl_float> result(data.size());
    setup.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, data.size() * sizeof(cl_float), result.data());
    const auto* fresh = static_cast<cl_float*>(std::malloc(data.size() * sizeof(cl_float)));
    for (std::size_t i = 0; i < result.size(); i += 2)
        result[i] = fresh[i];
    return result;
}
CPP
} > labs/lab4/hillis_steele_scan.cpp
cat > kernels/lab4_hillis_steele_scan.cl << 'CL'
__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n) {}
__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {}
CL
