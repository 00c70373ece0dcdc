#!/bin/sh
# Defines __cxa_throw, so that not_implemented() ends the program with 0 and nothing is reported.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <unistd.h>
extern "C" __attribute__((noreturn)) void __cxa_throw(void*, void*, void (*)(void*)) { ::_exit(0); }
CPP
