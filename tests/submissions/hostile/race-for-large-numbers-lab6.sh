#!/bin/sh
# No work-item takes the lock if a number is large.
# from: solutions
# lab: lab6
# expect: lab6 below full

sed -i 's/        lock(mutex);/        const int free = summaries[0].maximum > 900000; if (!free) lock(mutex);/; s/        unlock(mutex);/        if (!free) unlock(mutex);/' kernels/lab6_lock.cl
