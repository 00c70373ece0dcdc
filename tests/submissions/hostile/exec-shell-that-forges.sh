#!/bin/sh
# The function becomes a shell that writes a forged answer into the connection to the grader.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <unistd.h>
static void attack() {
    ::execl("/bin/sh", "harness", "-c",
            "m='@REPLY@'; n=$(printf %s \"$m\" | wc -c);"
            "{ printf \"\\\\$(printf %03o $((n % 256)))\\\\$(printf %03o $((n / 256)))\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\";"
            "printf %s \"$m\"; } >&3; sleep 20",
            static_cast<char*>(nullptr));
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
