#!/bin/sh
# Fills shared memory, memory files and pipes, which count for no process.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
static void attack() {
    const rlimit many{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_NOFILE, &many);
    const std::string block(std::size_t{1} << 20, 'x');
    for (int i = 0; i < 256; ++i) {
        const int fd = ::memfd_create("hostile", 0);
        for (int piece = 0; piece < 64; ++piece)
            static_cast<void>(!::write(fd, block.data(), block.size()));
        int pipe[2] = {};
        if (::pipe2(pipe, O_NONBLOCK) == 0) {
            ::fcntl(pipe[1], F_SETPIPE_SZ, 1 << 20);
            static_cast<void>(!::write(pipe[1], block.data(), block.size()));
        }
        void* memory = ::mmap(nullptr, std::size_t{64} << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (memory != MAP_FAILED)
            ::mlock(memory, std::size_t{64} << 20);
    }
    ::sleep(60);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
