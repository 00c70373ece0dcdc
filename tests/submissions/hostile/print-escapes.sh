#!/bin/sh
# A right solution prints terminal escapes, bidi marks, NULs, carriage returns and bytes that are not UTF-8.
# from: solutions
# lab: lab1
# expect: lab1 full

{
    cat << 'CPP'
#include <cstdio>
static void attack() {
    static const char text[] = "\033[2J\033[H\033]0;hostile\a\033]52;c;aG9zdGlsZQ==\a\033]8;;http://example.com\aclick\033]8;;\a"
                               "\033[31mFAIL\033[1A\033[2K\rPASS\b\b\b\bFAIL\x9b" "31m\xff\xfe\xc0\xaf\xed\xa0\x80"
                               "\u202e\u2066gnp.exe\u2069\0after a NUL\x0b\x0c\x7f\x1b[?1049h\x1b(0\n";
    std::fwrite(text, 1, sizeof text, stdout);
    std::fwrite(text, 1, sizeof text, stderr);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
