#!/bin/sh
# Sends a message one byte at a time, forever.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/say.inc"
    cat << 'CPP'
static void attack() {
    say("", 64U << 20);
    for (;;) {
        static_cast<void>(!::write(3, " ", 1));
        ::usleep(100000);
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
