#!/bin/sh
# A folder has the name of the student's host code.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: reduction_scalar

rm labs/lab1/reduction_scalar.cpp
mkdir labs/lab1/reduction_scalar.cpp
printf 'hostile\n' > labs/lab1/reduction_scalar.cpp/file.cpp
