#!/bin/sh
# Right, but replaces the system's clocks, from which OpenCL gets its times.
# from: solutions
# lab: lab1
# expect: lab1 any

{
    cat << 'CPP'
#include <ctime>
#include <sys/time.h>
extern "C" int clock_gettime(clockid_t, timespec* time) noexcept {
    static long tick = 0;
    time->tv_sec = 1;
    time->tv_nsec = ++tick % 1000000000;
    return 0;
}
static void attack() {}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
