#!/bin/sh
# The function replaces the program with /bin/true, which inherits everything that is open.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <unistd.h>
static void attack() { ::execl("/bin/true", "harness", static_cast<char*>(nullptr)); }

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
