#!/bin/sh
# Sleeps itself, while processes and threads that it started use all the processor time there is.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <sys/prctl.h>
#include <unistd.h>
static void attack() {
    for (int i = 0; i < 64; ++i) {
        if (::fork() != 0)
            continue;
        ::prctl(PR_SET_NAME, "hostile-spin");
        ::setpgid(0, 0);
        ::alarm(120);
        for (volatile unsigned spin = 0;; ++spin) {
        }
    }
    for (;;)
        ::pause();
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
