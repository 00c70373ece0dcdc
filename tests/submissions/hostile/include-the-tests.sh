#!/bin/sh
# Includes the grader's own sources, to know the inputs and how they are judged.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include "grader/inputs.cpp"
#include "../../tests/labs/lab1.cpp"
CPP
