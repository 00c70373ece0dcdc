#!/bin/sh
# A kernel that changes what is constant, and the code of the process it runs in.
# from: solutions
# lab: lab2
# expect: lab2 below full

cat > kernels/lab2_reduction_vector.cl << 'CL'
__constant int numbers[64] = {1, 2, 3};
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    volatile __global int* place = (volatile __global int*)(ulong)&numbers[0];
    for (int i = 0; i < 64; ++i)
        place[i] = 0;
    volatile __global int* code = (volatile __global int*)0x401000;
    for (int i = 0; i < 4096; ++i)
        code[i] = 0xcccccccc;
}
CL
