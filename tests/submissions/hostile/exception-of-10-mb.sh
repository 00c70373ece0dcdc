#!/bin/sh
# Throws an exception whose text has ten million letters.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <stdexcept>
#include <string>
static void attack() { throw std::runtime_error(std::string(10000000, 'x')); }

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
