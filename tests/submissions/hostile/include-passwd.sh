#!/bin/sh
# Includes /etc/passwd and others, so that the compiler's errors quote them.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include "/etc/passwd"
#include "/etc/hostname"
#include "/etc/os-release"
CPP
