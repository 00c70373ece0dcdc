#!/bin/sh
# Hands over a launch before main, before any call was requested.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
__attribute__((constructor)) static void early() {
    hand_over(plain_launch(), wire::create_shared_memory("launch", 4096));
}
static void attack() {}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
