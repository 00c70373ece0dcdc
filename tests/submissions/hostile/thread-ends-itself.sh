#!/bin/sh
# The function ends its thread, the program's first, in place of returning.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <pthread.h>
static void attack() { ::pthread_exit(nullptr); }

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
