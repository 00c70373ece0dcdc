#!/bin/sh
# An expression of a million brackets.
# from: starters
# lab: lab1
# expect: lab1 0

{
    printf 'static const int nested = '
    head -c 400000 /dev/zero | tr '\0' '('
    printf '1'
    head -c 400000 /dev/zero | tr '\0' ')'
    printf ';\n'
} >> labs/lab1/reduction_scalar.cpp
