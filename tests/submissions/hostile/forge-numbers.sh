#!/bin/sh
# Answers with numbers that do not fit: NaN, 1e999, negative sizes, 2^64, fractions, another each time.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/say.inc"
    cat << 'CPP'
#include <chrono>
#include <cstdio>
#include <regex>
static void attack() {
    static const char* const numbers[] = {"NaN", "1e999", "-1", "18446744073709551616", "0.5", "1e308", "-9223372036854775808",
                                          "18446744073709551615", "null", "\"16\"", "true", "-0", "1E400", "0x10", "Infinity"};
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const std::string number = numbers[static_cast<std::size_t>(now / 1000) % (sizeof numbers / sizeof *numbers)];
    const std::string text = std::regex_replace(std::string("@REPLY@"), std::regex("-?[0-9]+([.][0-9]+)?"), number);
    say(text, static_cast<std::uint32_t>(text.size()));
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
