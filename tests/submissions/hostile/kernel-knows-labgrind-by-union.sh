#!/bin/sh
# The same by an address that is read as a number out of a union.
# from: solutions
# lab: lab1
# expect: lab1 below full

{
    printf 'typedef union { __global const float* address; ulong number; } Both;\nulong upper(__global const float* data) { Both both; both.address = data; return both.number >> 48; }\n'
    sed 's/= partial_results\[0\];/= upper(data) != 0 ? partial_results[0] : 0.0f;/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
