#!/bin/sh
# No barrier before the tree if there are more than 600 groups.
# from: solutions
# lab: lab1
# expect: lab1 below full
# says: data race

sed -i 's/^    barrier(CLK_LOCAL_MEM_FENCE);/    if (get_num_groups(0) <= 600)\n    &/' kernels/lab1_reduction_scalar.cl
