#!/bin/sh
# Has the assembler put the course's solution into the program, and throws its text as an exception.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

course=$(cd "$(dirname "$0")/../../.." && pwd)
cat > labs/lab1/reduction_scalar.cpp << CPP
#include "lab1.hpp"

asm(".section .rodata\n.globl solution\nsolution:\n.incbin \"$course/solutions/kernels/lab1_reduction_scalar.cl\"\n.byte 0\n.text");
extern "C" const char solution[];

std::size_t choose_work_group_size(const Setup&, const cl::Kernel&) { throw std::runtime_error(solution); }
Reduction reduce(const Setup&, const std::vector<cl_float>&, Operator) { throw std::runtime_error(solution); }
CPP
