#!/bin/sh
# An array of 32 GiB with a value in it, all of which must go into the object file.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

char huge[std::size_t{1} << 35] = {1};
CPP
