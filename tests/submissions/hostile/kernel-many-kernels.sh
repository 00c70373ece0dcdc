#!/bin/sh
# A right kernel file with two thousand kernels more.
# from: solutions
# lab: lab2
# expect: lab2 any

i=0
while [ "$i" -lt 2000 ]; do
    printf '__kernel void more_%d(__global float* x) { x[get_global_id(0)] = %d; }\n' "$i" "$i"
    i=$((i + 1))
done >> kernels/lab2_reduction_vector.cl
