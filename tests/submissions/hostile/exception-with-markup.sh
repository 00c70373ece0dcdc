#!/bin/sh
# Throws an exception whose text is workflow commands, markup, formulas and escapes.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <stdexcept>
static void attack() {
    throw std::runtime_error("\n::error file=labs/lab2/lab2.hpp,line=1::hostile\r\n##[error]hostile\n::set-output name=result::e30=\n"
                             "<script>alert(1)</script>]]></failure></testcase>\n```\n</pre></details># heading\n| a | b |\n|---|---|\n"
                             "=HYPERLINK(\"http://example.com\"),\"x\",@SUM(1)\n\033[2J\033]0;hostile\a{{7*7}} ${7*7} %0A%0D %s%n \u202e\u2028\u2029");
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
