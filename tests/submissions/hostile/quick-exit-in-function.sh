#!/bin/sh
# quick_exit with a handler that prints a pass and ends the program with _Exit(0).
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdio>
#include <cstdlib>
static void attack() {
    std::at_quick_exit([] {
        std::puts("[doctest] test cases: 15 | 15 passed | 0 failed | 0 skipped\n[doctest] Status: SUCCESS!");
        std::fflush(stdout);
        std::_Exit(0);
    });
    std::quick_exit(1);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
