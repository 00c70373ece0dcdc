#!/bin/sh
# Includes the compiler's standard input, a terminal, and a pipe without a writer.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include "/dev/stdin"
#include "/dev/tty"
#include "/proc/self/fd/1"
CPP
