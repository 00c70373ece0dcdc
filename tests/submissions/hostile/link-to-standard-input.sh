#!/bin/sh
# The student's files are links to the standard input of the process that reads them.
# from: solutions
# lab: lab1
# expect: lab1 0

ln -sf /dev/stdin kernels/lab1_reduction_scalar.cl
ln -sf /proc/self/fd/0 labs/lab1/reduction_scalar.cpp
