#!/bin/sh
# Hands over a launch of a million arguments.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
static void attack() {
    wire::KernelLaunch launch = plain_launch();
    launch.arguments.resize(500000, launch.arguments[0]);
    hand_over(launch, wire::create_shared_memory("launch", 4096));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
