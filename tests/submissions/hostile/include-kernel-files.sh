#!/bin/sh
# Includes files of the system that have side effects or no end when read.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include "/proc/kmsg"
#include "/proc/self/mem"
#include "/dev/random"
#include "/proc/kcore"
CPP
