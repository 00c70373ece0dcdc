#!/bin/sh
# Allows core files of any size, takes a gibibyte and crashes.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
static void* volatile kept; // or else the compiler leaves it out
static void attack() {
    const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_CORE, &unlimited);
    ::prctl(PR_SET_DUMPABLE, 1);
    void* memory = std::malloc(std::size_t{1} << 30);
    kept = memory;
    if (memory != nullptr)
        std::memset(memory, 1, std::size_t{1} << 30);
    std::signal(SIGQUIT, SIG_DFL);
    static_cast<void>(!::chdir("/tmp"));
    ::raise(SIGQUIT);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
