#!/bin/sh
# Closes all descriptors, including the connection to the grader.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <unistd.h>
static void attack() {
    for (int fd = 0; fd < 1024; ++fd)
        ::close(fd);
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
