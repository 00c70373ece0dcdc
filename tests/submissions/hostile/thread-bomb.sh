#!/bin/sh
# Starts threads until no more can be, fifty thousand at most.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <system_error>
#include <thread>
#include <unistd.h>
static void attack() {
    try {
        for (int i = 0; i < 50000; ++i)
            std::thread([] { ::pause(); }).detach();
    } catch (const std::system_error&) {
        ::sleep(30);
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
