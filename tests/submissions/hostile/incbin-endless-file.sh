#!/bin/sh
# Has the assembler include /dev/zero.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".section .rodata\n.incbin \"/dev/zero\"\n.text");
CPP
