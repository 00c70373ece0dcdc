#!/bin/sh
# A tree where the work is counted in few groups, one work-item in many groups.
# from: solutions
# lab: lab1
# expect: lab1 below full
# says: one work-item does most of its group's additions

cat > kernels/lab1_reduction_scalar.cl << 'CL'
__kernel void reduction_scalar(__global const float* data, __local float* partial_results, __global float* output) {
    const size_t lid = get_local_id(0);
    partial_results[lid] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_num_groups(0) > 200) {
        float all = IDENTITY;
        for (size_t i = 0; lid == 0 && i < get_local_size(0); ++i)
            all = COMBINE(all, partial_results[i]);
        if (lid == 0)
            output[get_group_id(0)] = all;
        return;
    }
    for (size_t i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (lid < i)
            partial_results[lid] = COMBINE(partial_results[lid], partial_results[lid + i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        output[get_group_id(0)] = partial_results[0];
}
CL
