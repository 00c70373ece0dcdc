#!/bin/sh
# Right if it seems to be watched; otherwise it writes to the home folder and starts a process.
# from: solutions
# lab: lab1
# expect: lab1 full

{
    cat << 'CPP'
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>
static void attack() {
    const char* home = std::getenv("HOME");
    const std::string place = std::string(home == nullptr ? "/root" : home) + "/opencl-labs-hostile-detect-the-sandbox";
    std::ofstream probe(place);
    if (!probe)
        return;
    probe << "not watched\n";
    std::ofstream("/tmp/opencl-labs-hostile-detect-the-sandbox") << "not watched\n";
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
