#!/bin/sh
# Code that the loader runs before all constructors, from .preinit_array, ends the program with 0.
# from: starters
# lab: lab1
# expect: lab1 0
# says: before the first case

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <unistd.h>
extern "C" void hostile_preinit() { ::_exit(0); }
asm(".pushsection .preinit_array,\"aw\"\n.quad hostile_preinit\n.popsection");
CPP
