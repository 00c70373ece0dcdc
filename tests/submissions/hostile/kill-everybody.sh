#!/bin/sh
# Kills every process that it may kill.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <unistd.h>
static void attack() {
    ::kill(-1, SIGSTOP);
    ::kill(-1, SIGKILL);
    ::kill(0, SIGKILL);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
