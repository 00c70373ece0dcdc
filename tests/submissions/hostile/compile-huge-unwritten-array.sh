#!/bin/sh
# An array of a tebibyte without a value, which takes no space until the program is loaded.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".bss\n.globl tebibyte\ntebibyte:\n.zero 0x10000000000\n.text");
CPP
