#!/bin/sh
# Sends thousands of launches and reads no answer, so that the connection back to the program fills up.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/span.inc" "${0%/*}/parts/launch.inc"
    cat << 'CPP'
static void attack() {
    const wire::UniqueFd memory = wire::create_shared_memory("launch", 4096);
    wire::Channel line{wire::UniqueFd(::dup(3))};
    const std::string text = wire::encode(wire::Reply{plain_launch()});
    for (;;)
        line.send(text, {&memory});
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
