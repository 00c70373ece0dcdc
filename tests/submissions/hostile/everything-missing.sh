#!/bin/sh
# The submission is an empty folder.
# from: solutions
# lab: lab1
# expect: lab1 0

rm -r labs kernels
