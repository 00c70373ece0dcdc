#!/bin/sh
# Hands over a launch of a kernel whose name is a megabyte of markup.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
static void attack() {
    wire::KernelLaunch launch = plain_launch();
    launch.kernel.clear();
    while (launch.kernel.size() < (std::size_t{1} << 20))
        launch.kernel += "\n::error::<script>]]>\x1b[31m";
    hand_over(launch, wire::create_shared_memory("launch", 4096));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
