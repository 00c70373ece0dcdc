#!/bin/sh
# One work-item of each group scans what it reads through a second, __constant argument; the others add for show.
# from: solutions
# lab: lab5
# expect: lab5 below full
# says: one work-item

sed -i 's/scan_groups.setArg(0, values);/& scan_groups.setArg(4, values);/' labs/lab5/*.cpp
cat > kernels/lab5_blelloch_scan.cl << 'CL'
__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n,
                          __constant float* again) {
    const size_t lid = get_local_id(0);
    const size_t count = 2 * get_local_size(0);
    const size_t first = get_group_id(0) * count;
    float show = first + lid < n ? values[first + lid] : 0.0f;
    if (lid != 0) {
        for (int i = 0; i < 3; ++i)
            show += show;
        temp[lid] = show;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (lid == 0) {
        float sum = 0.0f;
        for (size_t i = 0; i < count; ++i) {
            if (first + i < n) {
                const float value = again[first + i];
                values[first + i] = sum;
                sum = 2.0f * mix(sum, value, 0.5f);
            }
        }
        group_sums[get_group_id(0)] = sum;
    }
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
