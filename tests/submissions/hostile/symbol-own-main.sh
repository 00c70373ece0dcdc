#!/bin/sh
# Defines main, which returns 0 at once.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

int main() { return 0; }
CPP
