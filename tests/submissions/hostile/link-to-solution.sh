#!/bin/sh
# The student's host code is a link to the course's solution.
# from: starters
# lab: lab1
# expect: lab1 0
# says: link

course=$(cd "$(dirname "$0")/../../.." && pwd)
ln -sf "$course/solutions/labs/lab1/reduction_scalar.cpp" labs/lab1/reduction_scalar.cpp
ln -sf "$course/solutions/kernels/lab1_reduction_scalar.cl" kernels/lab1_reduction_scalar.cl
