#!/bin/sh
# A kernel that never ends.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    volatile int one = 1;
    while (one)
        one = 1;
}
CL
