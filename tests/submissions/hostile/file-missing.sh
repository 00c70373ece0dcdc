#!/bin/sh
# The student's host code is missing.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: reduction_scalar.cpp

rm labs/lab1/reduction_scalar.cpp
