#!/bin/sh
# A million errors, each on its own line.
# from: starters
# lab: lab1
# expect: lab1 0

seq -f 'int e%.0f = ::error::x;' 60000 >> labs/lab1/reduction_scalar.cpp
