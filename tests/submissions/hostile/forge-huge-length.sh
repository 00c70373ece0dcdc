#!/bin/sh
# Announces a message of 4 GiB.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/say.inc"
    cat << 'CPP'
static void attack() {
    say("{}", 0xFFFFFFFFU, 0xFFFFFFFFU);
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
