#!/bin/sh
# The student's files are a program and random bytes.
# from: solutions
# lab: lab1
# expect: lab1 0
# build: may fail

cp /bin/true labs/lab1/reduction_scalar.cpp
head -c 100000 /dev/urandom > kernels/lab1_reduction_scalar.cl
