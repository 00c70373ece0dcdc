#!/bin/sh
# Forty functions, each of which calls the previous one twice and must be inlined.
# from: solutions
# lab: lab2
# expect: lab2 0

{
    printf 'float f0(float x) { return sin(x) + 1.0f; }\n'
    i=1
    while [ "$i" -le 40 ]; do
        printf '__attribute__((always_inline)) inline float f%d(float x) { return f%d(f%d(x) * 1.5f) + f%d(x + 2.5f); }\n' "$i" $((i - 1)) $((i - 1)) $((i - 1))
        i=$((i + 1))
    done
    printf '__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {\n    output[get_group_id(0)] = f40(data[0].x);\n}\n'
} > kernels/lab2_reduction_vector.cl
