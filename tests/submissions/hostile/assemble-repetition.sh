#!/bin/sh
# Has the assembler repeat an instruction four billion times.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".text\n.rept 4000000000\nnop\n.endr");
CPP
