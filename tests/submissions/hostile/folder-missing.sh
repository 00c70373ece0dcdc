#!/bin/sh
# The folder of the kernels is missing.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: lab1_reduction_scalar.cl

rm -r kernels
