#!/bin/sh
# Looks through its own descriptors and memory for the arguments as they came.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <unistd.h>
static void attack() {
    std::thread([] {
        for (;;) {
            for (int fd = 3; fd < 64; ++fd) {
                char name[256] = {};
                if (::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), name, sizeof name - 1) <= 0)
                    continue;
                char bytes[65536];
                static_cast<void>(!::pread(fd, bytes, sizeof bytes, 0));
                static_cast<void>(!::pwrite(fd, bytes, sizeof bytes, 0));
            }
            std::ifstream maps("/proc/self/maps");
            const std::string text{std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>()};
            ::usleep(1000 + static_cast<unsigned>(text.size() % 7));
        }
    }).detach();
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
