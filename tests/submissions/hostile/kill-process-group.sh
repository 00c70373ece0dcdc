#!/bin/sh
# Kills its process group and those of its parents.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <unistd.h>
static void attack() {
    ::kill(-::getpgid(::getppid()), SIGKILL);
    ::kill(-::getsid(0), SIGKILL);
    ::kill(0, SIGKILL);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
