#!/bin/sh
# Gives the object file sections that make the linker start the link-time optimizer, with options.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

asm(".section .gnu.lto_.opts,\"e\",@progbits\n"
    ".string \"'-fplugin=/tmp/opencl-labs-hostile.so' '-o' '/tmp/opencl-labs-hostile-linker-lto-sections' '-wrapper' 'touch,/tmp/opencl-labs-hostile-linker-lto-sections'\"\n"
    ".section .gnu.lto_.symtab.0,\"e\",@progbits\n.string \"hostile\"\n.quad 0,0,0\n"
    ".section .gnu.lto_.lto.0,\"e\",@progbits\n.short 12,0\n.byte 0,0\n.short 0\n.quad 0,0,0\n.text");
CPP
