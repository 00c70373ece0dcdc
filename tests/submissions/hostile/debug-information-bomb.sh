#!/bin/sh
# Crashes with debug information that no tool can read: sections of it are rubbish and endless.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

{
    cat << 'CPP'
asm(".section .debug_line,\"\",@progbits\n.long 0x7fffffff\n.short 4\n.fill 100000,1,0xff\n"
    ".section .debug_info,\"\",@progbits\n.long 0xfffffff0\n.fill 100000,1,0x91\n"
    ".section .debug_abbrev,\"\",@progbits\n.fill 100000,1,0x80\n.text");
static void attack() {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
