#!/bin/sh
# Answers with JSON that is a million arrays deep.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/say.inc"
    cat << 'CPP'
static void attack() {
    const std::string deep = "{\"kind\":3,\"body\":" + std::string(1000000, '[') + std::string(1000000, ']') + "}";
    say(deep, static_cast<std::uint32_t>(deep.size()));
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
