#!/bin/sh
# Hands over launches of 2^60 work-items, of empty groups, in zero and in four billion dimensions.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
static void attack() {
    const wire::UniqueFd memory = wire::create_shared_memory("launch", 4096);
    for (int i = 0; i < 6; ++i) {
        wire::KernelLaunch launch = plain_launch();
        if (i == 0)
            launch.dimensions = 0;
        if (i == 1)
            launch.dimensions = 0xFFFFFFFFU;
        if (i == 2)
            launch.work_group_size = {0, 1, 1};
        if (i == 3)
            launch.global_size = {std::size_t{1} << 32, std::size_t{1} << 32, 1};
        if (i == 4)
            launch.arguments[1].bytes.size = std::size_t{1} << 62;
        if (i == 5)
            launch.global_size = {std::size_t{1} << 60, 1, 1};
        hand_over(launch, memory);
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
