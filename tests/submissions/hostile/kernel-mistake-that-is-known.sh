#!/bin/sh
# A kernel that is right for the analysis only, and blames a known mistake of POCL 3.1.
# from: solutions
# lab: lab1
# expect: lab1 below full

sh "${0%/*}/kernel-right-where-watched.sh"
sed -i '1i // for (; i < get_local_size(0);)' kernels/lab1_reduction_scalar.cl
