#!/bin/sh
# Answers with 64 MiB of empty arrays, each of which takes many times its two letters of memory.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdint>
#include <string>
#include <unistd.h>
static void say(const std::string& text, std::uint32_t size, std::uint32_t fds = 0) {
    const std::uint32_t head[2] = {size, fds};
    static_cast<void>(!::write(3, head, sizeof head));
    for (std::size_t at = 0; at < text.size();) {
        const auto count = ::write(3, text.data() + at, text.size() - at);
        if (count <= 0)
            return;
        at += static_cast<std::size_t>(count);
    }
}
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
