#!/bin/sh
# A kernel with a NUL in the middle: before it an empty kernel, and after it the rest.
# from: solutions
# lab: lab1
# expect: lab1 below full

{
    printf '__kernel void reduction_scalar(__global const float* data, __local float* partial_results, __global float* output) {}\n'
    printf '\000'
    cat kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
