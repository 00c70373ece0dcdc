#!/bin/sh
# Ignores all signals that can be ignored, including SIGTERM and SIGXCPU, and runs forever.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>
static void attack() {
    for (int signal = 1; signal < 65; ++signal)
        std::signal(signal, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, nullptr);
    const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_CPU, &unlimited);
    for (volatile unsigned spin = 0;; ++spin) {
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
