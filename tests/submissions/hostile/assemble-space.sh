#!/bin/sh
# Has the assembler leave sixteen tebibytes of room in the object file.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".data\n.space 0x100000000000, 1\n.text");
CPP
