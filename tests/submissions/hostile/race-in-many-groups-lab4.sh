#!/bin/sh
# No barrier before the steps if there are more than 9000 groups.
# from: solutions
# lab: lab4
# expect: lab4 below full
# says: data race

sed -i 's/^    barrier(CLK_LOCAL_MEM_FENCE);/    if (get_num_groups(0) <= 9000)\n    &/' kernels/lab4_hillis_steele_scan.cl
