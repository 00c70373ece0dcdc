#!/bin/sh
# Cuts all memory files that are open to nothing, makes them huge, and punches holes into them.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <unistd.h>
static void attack() {
    for (int fd = 3; fd < 256; ++fd) {
        static_cast<void>(!::ftruncate(fd, 0));
        static_cast<void>(!::ftruncate(fd, off_t{1} << 40));
        ::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, off_t{1} << 30);
        ::fallocate(fd, 0, 0, off_t{1} << 36);
        ::fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_WRITE | F_SEAL_FUTURE_WRITE);
        ::fcntl(fd, F_SETLEASE, F_WRLCK);
        ::fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC | O_APPEND);
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
