#!/bin/sh
# No work-item takes the lock if there are more than 600 groups.
# from: solutions
# lab: lab6
# expect: lab6 below full

sed -i 's/        lock(mutex);/        if (get_num_groups(0) <= 600) lock(mutex);/; s/        unlock(mutex);/        if (get_num_groups(0) <= 600) unlock(mutex);/' kernels/lab6_lock.cl
