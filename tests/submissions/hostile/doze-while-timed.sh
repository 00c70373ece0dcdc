#!/bin/sh
# Right, but where it is timed it neither sleeps nor works long enough at a time to be noticed, and
# never ends.
# from: solutions
# lab: lab1
# expect: lab1 below full
# says: was still running after

{
    cat << 'CPP'
#include <chrono>
#include <thread>
static void attack() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(40));
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
        while (std::chrono::steady_clock::now() < end) {
        }
    }
}

CPP
    sed 's/^\(Reduction\) .*) {$/&\n    static int calls = 0;\n    if (data.size() >= 1 << 16 \&\& data.size() % (1 << 16) == 0 \&\& ++calls > 1)\n        attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
