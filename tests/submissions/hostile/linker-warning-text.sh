#!/bin/sh
# Makes the linker print a text that it chooses, in a section for warnings.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".section .gnu.warning.main,\"\",@progbits\n.string \"\\n::error file=README.md,line=1::forged by the linker\\n##[error]forged\\n\\033[2J<script>\"\n"
    ".section .gnu.warning.clCreateBuffer,\"\",@progbits\n.string \"::stop-commands::hostile\"\n.text");
CPP
