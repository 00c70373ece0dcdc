#!/bin/sh
# The same by how far two buffers lie apart.
# from: solutions
# lab: lab1
# expect: lab1 below full

{
    printf '\n'
    sed 's/= partial_results\[0\];/= (output - (__global float*)data) > ((long)1 << 40) ? partial_results[0] : 0.0f;/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
