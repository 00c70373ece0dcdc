#!/bin/sh
# A thread of the host throws an exception that is never caught.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <stdexcept>
#include <thread>
#include <unistd.h>
static void attack() {
    std::thread([] { throw std::runtime_error("::error::in a thread"); }).detach();
    ::sleep(2);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
