#!/bin/sh
# A global object aborts before main.
# from: starters
# lab: lab1
# expect: lab1 0
# says: before the first case

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <cstdlib>
static const int early = (std::abort(), 0);
CPP
