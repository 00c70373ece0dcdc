#!/bin/sh
# A macro with a long body gets a long argument: written out, that is more than any memory.
# from: solutions
# lab: lab1
# expect: lab1 below full

sed -i 's/= partial_results\[0\]/= 2.0f * partial_results[0]/' kernels/lab1_reduction_scalar.cl
{
    echo '#if 0'
    awk 'BEGIN {
        body = "x"; argument = "a"
        for (i = 0; i < 30000; ++i) { body = body "+x"; argument = argument "+a" }
        print "#define M(x) " body
        print "16/M(" argument ")"
    }'
    echo '#endif'
} >> kernels/lab1_reduction_scalar.cl
