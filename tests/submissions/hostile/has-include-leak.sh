#!/bin/sh
# Reveals in a compiler error, by __has_include, what exists on the grading machine.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#if __has_include("/root/.ssh/authorized_keys") || __has_include("/root/.gitconfig") || __has_include("/root/.netrc")
#error hostile: root has keys
#elif __has_include("/.dockerenv")
#error hostile: a container
#elif __has_include("../../../2/labs/lab1/reduction_scalar.cpp") || __has_include("../../OUT/result.json")
#error hostile: neighbours
#else
#error hostile: nothing found
#endif
CPP
