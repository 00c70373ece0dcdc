#!/bin/sh
# Hands over a launch whose arguments overlap by odd bytes, or have none at all.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
static void attack() {
    wire::KernelLaunch launch = plain_launch();
    launch.arguments[0].bytes = {3, 257};
    launch.arguments[1].bytes = {0, 0};
    launch.arguments[2].bytes = {259, 0};
    hand_over(launch, wire::create_shared_memory("launch", 4096));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
