#!/bin/sh
# The same by the words of a variable that holds an address.
# from: solutions
# lab: lab1
# expect: lab1 below full

{
    printf '\n'
    sed 's/= partial_results\[0\];/= vload4(0, (ushort*)\&data).w != 0 ? partial_results[0] : 0.0f;/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
