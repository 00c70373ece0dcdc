#!/bin/sh
# Hands over a launch whose arguments lie outside its memory, one of them by way of an overflow.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
static void attack() {
    wire::KernelLaunch launch = plain_launch();
    launch.arguments[0].bytes = {std::size_t{0} - 4096, 8192};
    launch.arguments[2].bytes = {4092, std::size_t{1} << 40};
    hand_over(launch, wire::create_shared_memory("launch", 4096));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
