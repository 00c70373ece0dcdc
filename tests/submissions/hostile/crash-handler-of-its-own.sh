#!/bin/sh
# Handles the signals of a crash itself, and continues as if nothing had happened.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <initializer_list>
#include <unistd.h>
static void attack() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGUSR1, SIGTERM})
        std::signal(signal, [](int) { ::_exit(0); });
    volatile int* nowhere = nullptr;
    *nowhere = 1;
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
