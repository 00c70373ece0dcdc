#!/bin/sh
# The student's kernel file is empty.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: empty

: > kernels/lab1_reduction_scalar.cl
