#!/bin/sh
# The student's host code is a hard link to the course's solution, where the file system allows one.
# from: starters
# lab: lab1
# expect: lab1 any

course=$(cd "$(dirname "$0")/../../.." && pwd)
ln -f "$course/solutions/labs/lab1/reduction_scalar.cpp" labs/lab1/reduction_scalar.cpp || true
