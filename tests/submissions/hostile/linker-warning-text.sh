#!/bin/sh
# Has the linker print a text of its own choice, by a section of warnings.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".section .gnu.warning.main,\"\",@progbits\n.string \"\\n::error file=README.md,line=1::forged by the linker\\n##[error]forged\\n\\033[2J<script>\"\n"
    ".section .gnu.warning.clCreateBuffer,\"\",@progbits\n.string \"::stop-commands::hostile\"\n.text");
CPP
