#!/bin/sh
# Allocates and touches memory until none is left, 64 GiB at most.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <cstring>
static void* volatile kept; // or else the compiler leaves all of it out
static void attack() {
    for (int i = 0; i < 1024; ++i) {
        void* memory = std::malloc(std::size_t{64} << 20);
        kept = memory;
        if (memory != nullptr)
            std::memset(memory, i, std::size_t{64} << 20);
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
