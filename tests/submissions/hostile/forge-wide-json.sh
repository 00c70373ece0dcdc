#!/bin/sh
# Answers with 64 MiB of empty arrays, each of which takes many times its two letters of memory.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/say.inc"
    cat << 'CPP'
static void attack() {
    std::string wide = "{\"kind\":3,\"body\":[";
    while (wide.size() + 16 < (std::size_t{64} << 20))
        wide += "[],";
    wide += "0]}";
    say(wide, static_cast<std::uint32_t>(wide.size()));
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
