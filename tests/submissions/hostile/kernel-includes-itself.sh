#!/bin/sh
# A kernel file that includes itself twice, by the name that the compiler knows it by.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
#include __FILE__
#include __FILE__
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {}
CL
