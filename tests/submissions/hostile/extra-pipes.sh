#!/bin/sh
# Brings pipes without a writer in all places where something may be read.
# from: solutions
# lab: lab1
# expect: lab1 full

mkfifo pipe Makefile labs/lab1/pipe.cpp labs/lab1/pipe.hpp labs/lab1/zz.cpp kernels/pipe.cl result.json README.md
