#!/bin/sh
# Sends millions of small answers to no request.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/say.inc"
    cat << 'CPP'
static void attack() {
    const std::string text = "{\"kind\":4,\"body\":{\"reason\":\"forged\"}}";
    for (;;)
        say(text, static_cast<std::uint32_t>(text.size()));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
