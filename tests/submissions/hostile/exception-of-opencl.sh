#!/bin/sh
# Throws OpenCL errors with made-up functions and codes, and with none.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include "runner/lab.hpp"
#include <climits>
static void attack() {
    static unsigned calls = 0;
    switch (calls++ % 3) {
    case 0:
        throw cl::Error(INT_MIN, "\n::error::hostile <script>");
    case 1:
        throw cl::Error(0, nullptr);
    default:
        throw cl::Error(CL_SUCCESS, "clFinish");
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
