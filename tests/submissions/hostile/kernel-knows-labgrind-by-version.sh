#!/bin/sh
# The same by the version of OpenCL, which the device reports.
# from: solutions
# lab: lab1
# expect: lab1 below full

{
    printf '\n'
    sed 's/= partial_results\[0\];/= __OPENCL_VERSION__ == 120 ? partial_results[0] : 0.0f;/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
