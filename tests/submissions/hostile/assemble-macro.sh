#!/bin/sh
# Has the assembler expand a macro that calls itself twice.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".macro twice n\n.if \\n\ntwice \"(\\n-1)\"\ntwice \"(\\n-1)\"\n.endif\n.byte 1\n.endm\ntwice 31");
CPP
