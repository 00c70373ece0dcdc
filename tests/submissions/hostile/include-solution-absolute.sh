#!/bin/sh
# Includes the host code of the course's solution by its absolute path, which the attacker knows.
# from: solutions
# lab: lab1
# expect: lab1 0
# build: may fail

course=$(cd "$(dirname "$0")/../../.." && pwd)
printf '#include "%s/solutions/labs/lab1/reduction_scalar.cpp"\n' "$course" > labs/lab1/reduction_scalar.cpp
