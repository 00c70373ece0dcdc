#!/bin/sh
# Hands over memory of no fixed size and truncates it while the grader uses it.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
#include <thread>
static void attack() {
    const wire::UniqueFd memory(::memfd_create("launch", MFD_CLOEXEC));
    static_cast<void>(!::ftruncate(memory.get(), 4096));
    std::thread([fd = ::dup(memory.get())] {
        for (;;) {
            static_cast<void>(!::ftruncate(fd, 0));
            static_cast<void>(!::ftruncate(fd, 4096));
        }
    }).detach();
    for (int i = 0; i < 1000; ++i)
        hand_over(plain_launch(), memory);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
