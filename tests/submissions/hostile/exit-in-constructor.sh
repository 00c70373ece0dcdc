#!/bin/sh
# A global object ends the program with status 0 before main.
# from: starters
# lab: lab1
# expect: lab1 0
# says: before the first case

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <cstdlib>
namespace {
struct Early {
    Early() { std::exit(0); }
} early;
} // namespace
CPP
