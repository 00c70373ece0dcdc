#!/bin/sh
# Answers with JSON that is a million arrays deep.
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
    const std::string deep = "{\"kind\":3,\"body\":" + std::string(1000000, '[') + std::string(1000000, ']') + "}";
    say(deep, static_cast<std::uint32_t>(deep.size()));
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
