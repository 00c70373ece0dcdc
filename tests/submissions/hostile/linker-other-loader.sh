#!/bin/sh
# Asks for another program loader, a writable text and an executable stack.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".section .interp,\"a\",@progbits\n.string \"/tmp/opencl-labs-hostile-loader\"\n"
    ".section .note.GNU-stack,\"x\",@progbits\n.section .hostile,\"awx\",@progbits\n.quad 0\n.text");
CPP
