#!/bin/sh
# Ends the program with _exit(0) in a constructor of the highest priority, before any other.
# from: starters
# lab: lab1
# expect: lab1 0
# says: before the first case

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <unistd.h>
__attribute__((constructor(101))) static void first() { ::_exit(0); }
CPP
