#!/bin/sh
# Each process starts as many others as possible, and lives for two minutes. In the function.
# from: starters
# lab: lab1
# expect: lab1 0
# says: processes and threads; the limit is

{
    cat << 'CPP'
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>
static void attack() {
    for (int i = 0; i < 12; ++i) { // 2^12 processes at most, should nothing hold them back
        ::fork();
        ::prctl(PR_SET_NAME, "hostile-fork");
        ::alarm(120);
    }
    for (;;)
        ::pause();
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
