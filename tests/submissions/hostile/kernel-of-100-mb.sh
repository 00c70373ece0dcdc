#!/bin/sh
# The student's kernel file has a comment of 100 MB, more than a message can be.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: larger than

{
    printf '/*'
    head -c 100000000 /dev/zero | tr '\0' 'x'
    printf '*/\n'
} >> kernels/lab1_reduction_scalar.cl
