#!/bin/sh
# Arrays of 1 GiB in total, each small enough, which the program loads from its file.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

static int a[1 << 26] = {1}, b[1 << 26] = {2}, c[1 << 26] = {3}, d[1 << 26] = {4};
int* const large[] = {a, b, c, d};
CPP
