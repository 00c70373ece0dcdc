#!/bin/sh
# The kernel file includes the course's solution by its absolute path, which the attacker knows.
# from: solutions
# lab: lab2
# expect: lab2 0

course=$(cd "$(dirname "$0")/../../.." && pwd)
printf '#include "%s/solutions/kernels/lab2_reduction_vector.cl"\n' "$course" > kernels/lab2_reduction_vector.cl
