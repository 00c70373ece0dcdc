#!/bin/sh
# The student's host code is a pipe without a writer.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: reduction_scalar

rm labs/lab1/reduction_scalar.cpp
mkfifo labs/lab1/reduction_scalar.cpp
