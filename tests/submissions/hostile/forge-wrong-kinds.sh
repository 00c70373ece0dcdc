#!/bin/sh
# Answers with messages of another kind, of no kind, and with text that is not JSON or not UTF-8.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat "${0%/*}/parts/say.inc"
    cat << 'CPP'
#include <chrono>
static void attack() {
    static const std::string texts[] = {"{\"kind\":99,\"body\":{}}", "{\"kind\":-1,\"body\":{}}", "{\"kind\":\"a\",\"body\":{}}",
                                        "{\"kind\":0,\"body\":{\"devices\":[]}}", "{\"kind\":4,\"body\":{\"reason\":\"::error::forged\"}}",
                                        "[]", "", "{", "null", "\xff\xfe\"\xc0\xaf", std::string("\0\0\0", 3),
                                        "{\"kind\":3,\"kind\":4,\"body\":null,\"body\":{}}", "{\"kind\":3,\"body\":{}}",
                                        "{\"kind\":3,\"body\":{\"outcome\":\"perfect\"}}"};
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const std::string& text = texts[static_cast<std::size_t>(now / 1000) % (sizeof texts / sizeof *texts)];
    say(text, static_cast<std::uint32_t>(text.size()));
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
