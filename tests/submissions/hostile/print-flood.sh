#!/bin/sh
# A right solution prints 200 MB once, without an end of line.
# from: solutions
# lab: lab1
# expect: lab1 full

{
    cat << 'CPP'
#include <string>
#include <unistd.h>
static void attack() {
    static bool done = false;
    if (done)
        return;
    done = true;
    const std::string block(std::size_t{1} << 20, 'x');
    for (int i = 0; i < 200; ++i)
        static_cast<void>(!::write(1 + i % 2, block.data(), block.size()));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
