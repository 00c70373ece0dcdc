#!/bin/sh
# Prints GitHub's workflow commands, which are read from anything that a step prints.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdio>
#include <initializer_list>
static void attack() {
    for (std::FILE* stream : {stdout, stderr}) {
        std::fputs("\n::notice title=Points::All 16 points\n::set-output name=result::e30=\n"
                   "::error file=labs/lab2/lab2.hpp,line=1::not mine\n::add-mask::0\n::add-path::/tmp\n"
                   "::save-state name=score::16\n::group::hidden\n::stop-commands::pause\n"
                   "##[set-output name=result]e30=\n##[error]forged\nword ##[warning]forged\r\n"
                   "##vso[task.setvariable variable=LAB1_RESULTS]e30=\n",
                   stream);
        std::fflush(stream);
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
