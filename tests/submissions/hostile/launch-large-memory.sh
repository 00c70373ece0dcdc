#!/bin/sh
# Hands over launches with the largest memory that is allowed, again and again.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
static void attack() {
    wire::KernelLaunch launch = plain_launch();
    launch.memory_size = std::size_t{1} << 30;
    launch.arguments[0].bytes = {0, std::size_t{1} << 29};
    launch.arguments[2].bytes = {std::size_t{1} << 29, std::size_t{1} << 29};
    const wire::UniqueFd memory = wire::create_shared_memory("launch", launch.memory_size);
    for (;;)
        hand_over(launch, memory);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
