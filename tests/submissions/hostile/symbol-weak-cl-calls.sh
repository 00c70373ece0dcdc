#!/bin/sh
# The same as weak symbols and under other names that the linker is to take for them.
# from: solutions
# lab: lab1
# expect: lab1 full

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

extern "C" __attribute__((weak)) cl_int clFinish(cl_command_queue) { return CL_SUCCESS; }
extern "C" cl_int hostile_read() { return CL_SUCCESS; }
asm(".weak clEnqueueReadBuffer\n.weakref hostile_alias,clEnqueueReadBuffer");
CPP
