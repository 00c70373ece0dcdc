#!/bin/sh
# A kernel that is right for the analysis only, and pleads a mistake that POCL 3.1 is known for.
# from: solutions
# lab: lab1
# expect: lab1 below full

sh "${0%/*}/kernel-right-where-watched.sh"
sed -i '1i // for (; i < get_local_size(0);)' kernels/lab1_reduction_scalar.cl
