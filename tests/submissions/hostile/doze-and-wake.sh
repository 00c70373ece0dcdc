#!/bin/sh
# Neither sleeps nor works long enough at a time to be noticed, and never ends.
# from: starters
# lab: lab1
# expect: lab1 0

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
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
