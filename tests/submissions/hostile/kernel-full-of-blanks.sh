#!/bin/sh
# A call is longer than the stack of a regular expression allows.
# from: solutions
# lab: lab1
# expect: lab1 full

blanks=$(printf '%100000s' '')
sed -i "s/get_local_size(0)/get_local_size$blanks(0)/" kernels/lab1_reduction_scalar.cl
