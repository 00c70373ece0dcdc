#!/bin/sh
# Moves to another process group, where a signal to its old group does not reach it, and hangs.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>
static void attack() {
    ::prctl(PR_SET_NAME, "hostile-leave");
    ::prctl(PR_SET_PDEATHSIG, 0);
    ::setpgid(0, ::getpgid(::getppid()));
    ::alarm(600);
    for (;;)
        ::pause();
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
