#!/bin/sh
# The kernel is launched only for show, and the host adds up the data itself.
# from: solutions
# lab: lab2
# expect: lab2 0

sed -i 's/for (const cl_float partial_result : partial_results)/for (const cl_float partial_result : data)/' labs/lab2/reduction_vector.cpp
