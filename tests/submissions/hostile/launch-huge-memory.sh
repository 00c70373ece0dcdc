#!/bin/sh
# Hands over a launch that announces 2^62 bytes of memory and comes with a page.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
static void attack() {
    wire::KernelLaunch launch = plain_launch();
    launch.memory_size = std::size_t{1} << 62;
    launch.arguments[0].bytes.size = std::size_t{1} << 61;
    hand_over(launch, wire::create_shared_memory("launch", 4096));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
