#!/bin/sh
# The student's kernel file is a link to /dev/zero, which has no end.
# from: solutions
# lab: lab1
# expect: lab1 0

ln -sf /dev/zero kernels/lab1_reduction_scalar.cl
