#!/bin/sh
# The same by what a float becomes that no int can hold.
# from: solutions
# lab: lab1
# expect: lab1 below full

{
    printf '\n'
    sed 's/= partial_results\[0\];/= (int)(partial_results[0] + 3e18f) == 0x7fffffff ? partial_results[0] : 0.0f;/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
