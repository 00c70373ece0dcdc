#!/bin/sh
# The student's kernel file is a link to a pipe without a writer.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: reduction_scalar

mkfifo kernels/pipe
ln -sf pipe kernels/lab1_reduction_scalar.cl
