#!/bin/sh
# Includes /dev/zero, which has no end.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include "/dev/zero"
CPP
