#!/bin/sh
# The function leaves by longjmp, to a place that is gone, or into the middle of another call.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csetjmp>
#include <csignal>
static std::jmp_buf place;
__attribute__((noinline)) static int remember() { return setjmp(place); }
static void attack() {
    static bool jumped = false;
    if (remember() == 0 && !jumped) {
        jumped = true;
        std::longjmp(place, 1);
    }
    std::signal(SIGSEGV, [](int) { std::longjmp(place, 2); });
    std::raise(SIGSEGV);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
