#!/bin/sh
# A file that includes itself twice, two hundred deep.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include __FILE__
#include __FILE__
CPP
