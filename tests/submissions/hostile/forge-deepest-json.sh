#!/bin/sh
# Answers with 64 MiB of opening brackets, and closes none.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/say.inc"
    cat << 'CPP'
static void attack() {
    const std::string deep(std::size_t{64} << 20, '[');
    say(deep, static_cast<std::uint32_t>(deep.size()));
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
