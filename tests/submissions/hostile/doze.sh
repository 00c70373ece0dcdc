#!/bin/sh
# Right, but each call takes nine seconds: never long enough to be a hang, but forever in total.
# from: solutions
# lab: lab1
# expect: lab1 any

{
    cat << 'CPP'
#include <unistd.h>
static void attack() { ::sleep(9); }

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
