#!/bin/sh
# Right, but sixteen threads of the host's own keep every core busy while kernels are timed.
# from: solutions
# lab: lab1
# expect: lab1 any

{
    cat << 'CPP'
#include <thread>
static void attack() {
    static bool started = false;
    for (int i = 0; i < 16 && !started; ++i)
        std::thread([] {
            for (volatile unsigned spin = 0;; ++spin) {
            }
        }).detach();
    started = true;
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
