#!/bin/sh
# Right where addresses look like labgrind's, wrong on the device.
# from: solutions
# lab: lab1
# expect: lab1 below full

{
    printf '\n'
    sed 's/= partial_results\[0\];/= ((ulong)data >> 48) != 0 ? partial_results[0] : 0.0f;/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
