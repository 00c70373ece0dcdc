#!/bin/sh
# Writes 4 GiB to each place that may be written to: one large file each.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <fstream>
#include <string>
static void attack() {
    const std::string block(std::size_t{1} << 20, 'x');
    const char* home = std::getenv("HOME");
    for (const std::string folder : {".", "..", "/tmp", "/var/tmp", "/dev/shm", "/run", home == nullptr ? "/root" : home}) {
        std::ofstream file(folder + "/opencl-labs-hostile-disk-flood", std::ios::binary);
        for (int i = 0; i < 4096 && file; ++i)
            file << block;
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
