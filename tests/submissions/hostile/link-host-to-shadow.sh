#!/bin/sh
# The student's host code is a link to a file that only root may read.
# from: solutions
# lab: lab1
# expect: lab1 0
# says: link

ln -sf /etc/shadow labs/lab1/reduction_scalar.cpp
