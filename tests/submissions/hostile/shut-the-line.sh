#!/bin/sh
# Shuts down the connection to the grader in both directions and replaces it with a file.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
static void attack() {
    ::shutdown(3, SHUT_RDWR);
    ::dup2(::open("/dev/zero", O_RDWR), 3);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
