#!/bin/sh
# The function under test ends the program with status 0, as if all tests had passed.
# from: starters
# lab: lab1
# expect: lab1 0
# says: status 0

{
    cat << 'CPP'
#include <cstdlib>
static void attack() { std::exit(0); }

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
