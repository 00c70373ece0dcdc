#!/bin/sh
# A kernel that writes outside its buffer and whose name occurs 12,000 times in a macro before it: a search
# that goes back to the last semicolon from each of them takes minutes to find its line.
# from: solutions
# lab: lab1
# expect: lab1 below full
# says: see kernel reduction_scalar in kernels/lab1_reduction_scalar.cl:5

{
    awk 'BEGIN { printf "#define NAMES "; while (i++ < 12000) printf "reduction_scalar("; print "" }'
    sed 's/^ *output\[get_group_id(0)\] = .*/        output[get_group_id(0) + 1] = 1;/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
