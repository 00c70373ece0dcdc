#!/bin/sh
# A thread of the host ends the program with 0 during the call.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <thread>
#include <unistd.h>
static void attack() {
    std::thread([] { ::_exit(0); }).detach();
    ::sleep(5);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
