#!/bin/sh
# Brings files of a terabyte that take no space.
# from: solutions
# lab: lab1
# expect: lab1 full

for name in huge.bin labs/lab1/huge.cpp kernels/huge.cl; do
    truncate -s 1T "$name" || truncate -s 8G "$name"
done
