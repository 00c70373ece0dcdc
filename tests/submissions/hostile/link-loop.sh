#!/bin/sh
# The student's host code is a link to a link to it.
# from: solutions
# lab: lab1
# expect: lab1 0

ln -sf other.cpp labs/lab1/reduction_scalar.cpp
ln -sf reduction_scalar.cpp labs/lab1/other.cpp
