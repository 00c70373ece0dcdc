#!/bin/sh
# Defines main and _start in assembly, where no compiler complains.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".text\n.globl main\n.type main,@function\nmain:\nxor %eax,%eax\nret\n.globl _start\n_start:\nmov $60,%eax\nxor %edi,%edi\nsyscall");
CPP
