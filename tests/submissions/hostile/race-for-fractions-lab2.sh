#!/bin/sh
# No barrier before the tree if a number has a fraction.
# from: solutions
# lab: lab2
# expect: lab2 below full
# says: data race

sed -i 's/^    barrier(CLK_LOCAL_MEM_FENCE);/    const float first = data[get_group_id(0) * get_local_size(0)].x;\n    if (first == floor(first))\n    &/' kernels/lab2_reduction_vector.cl
