#!/bin/sh
# The student's host code is empty.
# from: solutions
# lab: lab1
# expect: lab1 0
# build: may fail

: > labs/lab1/reduction_scalar.cpp
