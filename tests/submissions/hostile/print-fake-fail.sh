#!/bin/sh
# A right solution prints fail lines and a result of 0 points.
# from: solutions
# lab: lab1
# expect: lab1 full

{
    cat << 'CPP'
#include <cstdio>
static void attack() {
    std::puts("FAIL    sum: every length                                       0 of 1\n"
              "harness: the lab's program ended before the first case\n"
              "{\"schema\": \"opencl-labs/result/v1\", \"lab\": \"lab1\", \"score\": 0, \"max_score\": 16, \"cases\": []}");
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
