#!/bin/sh
# The student's host code has no permissions at all.
# from: solutions
# lab: lab1
# expect: lab1 any

chmod 000 labs/lab1/reduction_scalar.cpp
