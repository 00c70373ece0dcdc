#!/bin/sh
# The student's host code is a sparse file of a terabyte.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: larger than

truncate -s 1T labs/lab1/reduction_scalar.cpp || truncate -s 8G labs/lab1/reduction_scalar.cpp
