#!/bin/sh
# Brings a folder solutions/ and a second course, in case the grader uses them instead of the course's.
# from: starters
# lab: lab1
# expect: lab1 0

course=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p course
cp -R "$course/solutions" solutions
cp -R "$course/solutions" course/solutions
cp -R "$course/solutions/labs/lab1/reduction_scalar.cpp" labs/lab1/solution.cpp
cp -R "$course/solutions/kernels/lab1_reduction_scalar.cl" kernels/lab1_solution.cl
