#!/bin/sh
# The function sleeps forever.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <unistd.h>
static void attack() {
    for (;;)
        ::pause();
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
