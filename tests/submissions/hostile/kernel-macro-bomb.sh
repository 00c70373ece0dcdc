#!/bin/sh
# Macros that grow to 2^40 words.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
#define A(x) x x x x x x x x
#define B(x) A(A(x))
#define C(x) B(B(x))
#define D(x) C(C(x))
#define E(x) D(D(x))
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    float all = 0;
    E(all += 1;)
    output[0] = all;
}
CL
