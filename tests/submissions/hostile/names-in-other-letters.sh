#!/bin/sh
# The student's files and folders are there only in capital letters.
# from: solutions
# lab: lab1
# expect: lab1 0

mv labs/lab1/reduction_scalar.cpp labs/lab1/Reduction_Scalar.CPP
mv kernels Kernels
