#!/bin/sh
# Includes the compiler's environment, memory map and command line.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include "/proc/self/environ"
#include "/proc/self/maps"
#include "/proc/self/cmdline"
CPP
