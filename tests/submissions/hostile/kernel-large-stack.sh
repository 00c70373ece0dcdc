#!/bin/sh
# A kernel that wants 64 MiB of private memory for each work-item.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    volatile float mine[1 << 24];
    for (int i = 0; i < 1 << 24; ++i)
        mine[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    output[get_group_id(0)] = mine[get_local_id(0)];
}
CL
