#!/bin/sh
# A constant array of 4 GiB.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
__constant int numbers[1UL << 30] = {1, 2, 3};
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    output[get_group_id(0)] = numbers[get_global_id(0) * 1000003 & ((1UL << 30) - 1)];
}
CL
