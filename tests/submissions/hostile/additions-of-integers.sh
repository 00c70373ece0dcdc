#!/bin/sh
# Hillis and Steele in whole numbers of 2^-34.
# from: solutions
# lab: lab5
# expect: lab5 below full
# says: too many additions

sed -i 's/elements_per_group \* sizeof(cl_float)/2 * &/' labs/lab5/*.cpp
cat > kernels/lab5_blelloch_scan.cl << 'CL'
#define ADD(a, b) (a + b)
typedef long number;

__kernel void scan_groups(__global float* values, __global float* group_sums, __local long* temp, uint n) {
    const size_t lid = get_local_id(0);
    const size_t size = get_local_size(0);
    const size_t first = get_group_id(0) * 2 * size;
    for (size_t i = lid; i < 2 * size; i += size)
        temp[i] = first + i < n ? (long)((values[first + i] + 0.0f) * 17179869184.0f) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t distance = 1; distance < 2 * size; distance *= 2) {
        number sums[2];
        for (size_t i = 0; i < 2; ++i) {
            const size_t at = lid + i * size;
            sums[i] = at >= distance ? ADD(temp[at], temp[at - distance]) : temp[at];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t i = 0; i < 2; ++i)
            temp[lid + i * size] = sums[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (size_t i = lid; i < 2 * size; i += size) {
        if (first + i < n)
            values[first + i] = i == 0 ? 0.0f : (float)temp[i - 1] / 17179869184.0f;
    }
    if (lid == 0)
        group_sums[get_group_id(0)] = (float)temp[2 * size - 1] / 17179869184.0f;
}

__kernel void add_offsets(__global float* values, __global const float* offsets, uint n) {
    const size_t group = get_group_id(0);
    const size_t first = 2 * get_global_id(0);
    if (first < n)
        values[first] += offsets[group];
    if (first + 1 < n)
        values[first + 1] += offsets[group];
}
CL
