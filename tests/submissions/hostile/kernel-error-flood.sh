#!/bin/sh
# A kernel file with two hundred thousand errors.
# from: solutions
# lab: lab2
# expect: lab2 0

seq -f 'int error_%.0f = ::error::x;' 200000 > kernels/lab2_reduction_vector.cl
