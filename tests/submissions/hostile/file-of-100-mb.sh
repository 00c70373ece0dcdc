#!/bin/sh
# The student's host code has a comment of 100 MB.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: larger than

{
    printf '/*'
    head -c 100000000 /dev/zero | tr '\0' 'x'
    printf '*/\n'
} >> labs/lab1/reduction_scalar.cpp
