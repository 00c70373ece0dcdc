#!/bin/sh
# Starts shells that start shells, by exec, so that no name of the program is left.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
static void attack() {
    static_cast<void>(!std::system("n=0; while [ $n -lt 300 ]; do n=$((n + 1)); (exec -a hostile-shell sleep 120) & "
                                   "(sh -c 'setsid sleep 120' hostile-shell > /dev/null 2>&1 &) ; done"));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
