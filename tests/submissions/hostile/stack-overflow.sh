#!/bin/sh
# Calls itself without an end.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
static int deeper(volatile int* place) {
    volatile int here[64] = {*place};
    return deeper(here) + here[1];
}
static void attack() {
    volatile int start = 0;
    static_cast<void>(deeper(&start));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
