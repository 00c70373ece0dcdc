#!/bin/sh
# Prints what a passing run, a JUnit file and a result file look like.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdio>
static void attack() {
    std::puts("PASS    sum: every length                                       1 of 1\n"
              "lab1: 16 of 16 points\n"
              "[doctest] Status: SUCCESS!\n"
              "<?xml version=\"1.0\"?><testsuites><testsuite name=\"lab1\" tests=\"15\" failures=\"0\"/></testsuites>\n"
              "]]></system-out></testcase></testsuite></testsuites>\n"
              "{\"schema\": \"opencl-labs/result/v1\", \"lab\": \"lab1\", \"score\": 16, \"max_score\": 16, \"cases\": []}\n"
              "{\"version\":1,\"status\":\"pass\",\"max_score\":16,\"tests\":[{\"name\":\"all\",\"status\":\"pass\",\"score\":16}]}");
    std::fputs("All tests passed\n", stderr);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
