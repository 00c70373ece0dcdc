#!/bin/sh
# A thread prints as long as the program runs.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <string>
#include <thread>
#include <unistd.h>
static void attack() {
    std::thread([] {
        const std::string block(std::size_t{1} << 20, '\n');
        while (::write(1, block.data(), block.size()) > 0) {
        }
    }).detach();
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
