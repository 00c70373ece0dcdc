#!/bin/sh
# No kernel has the required name; all have odd ones.
# from: starters
# lab: lab2
# expect: lab2 0
# says: reduction_vector

cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void $error$(__global float* x) {}
__kernel void h\u00e9ll\u00f6(__global float* x) {}
__kernel void reduction_vector_(__global float* x) {}
CL
{
    printf '__kernel void '
    head -c 60000 /dev/zero | tr '\0' 'a'
    printf '(__global float* x) {}\n'
} >> kernels/lab2_reduction_vector.cl
