#!/bin/sh
# Forty processes take a gibibyte each, so that none of them reaches a limit for one process.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <unistd.h>
static void* volatile kept; // or else the compiler leaves all of it out
static void attack() {
    for (int i = 0; i < 40; ++i) {
        if (::fork() != 0)
            continue;
        ::prctl(PR_SET_NAME, "hostile-memory");
        ::alarm(120);
        for (int piece = 0; piece < 16; ++piece) {
            void* memory = std::malloc(std::size_t{64} << 20);
            kept = memory;
            if (memory != nullptr)
                std::memset(memory, i, std::size_t{64} << 20);
        }
        ::pause();
        ::_exit(0);
    }
    ::sleep(60);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
