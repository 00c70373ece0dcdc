#!/bin/sh
# An expression of half a million operators, each inside the previous one.
# from: solutions
# lab: lab2
# expect: lab2 0

{
    printf '__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {\n    output[0] = '
    head -c 500000 /dev/zero | tr '\0' '!'
    printf '1;\n}\n'
} > kernels/lab2_reduction_vector.cl
