#!/bin/sh
# A kernel that writes to address 0 and to made-up ones.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    *(volatile __global int*)(get_global_id(0) * 4096) = 1;
    *(volatile __global int*)0x7fff00000000 = 1;
}
CL
