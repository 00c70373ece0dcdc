#!/bin/sh
# The student's kernel file is a link to a file that does not exist.
# from: solutions
# lab: lab1
# expect: lab1 0

ln -sf nowhere.cl kernels/lab1_reduction_scalar.cl
