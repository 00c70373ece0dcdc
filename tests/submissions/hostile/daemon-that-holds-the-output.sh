#!/bin/sh
# Ends itself, but leaves a process behind that keeps the output and the connection to the grader open.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>
static void attack() {
    if (::fork() != 0)
        ::_exit(0);
    ::setsid();
    ::prctl(PR_SET_NAME, "hostile-holder");
    ::prctl(PR_SET_PDEATHSIG, 0);
    for (int signal = 1; signal < 65; ++signal)
        std::signal(signal, SIG_IGN);
    ::sleep(300);
    ::_exit(0);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
