#!/bin/sh
# Gives the compiler options from within the source: plugins, dump files, other passes.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#pragma GCC optimize("fplugin=/tmp/opencl-labs-hostile.so")
#pragma GCC optimize("fdump-tree-all=/tmp/opencl-labs-hostile-pragma-options")
#pragma GCC optimize("save-temps,ftime-report,fprofile-generate=/tmp")
#pragma GCC dependency "/etc/passwd"
#pragma comment(lib, "/tmp/opencl-labs-hostile.so")
#pragma comment(linker, "-T/tmp/opencl-labs-hostile.ld")
#pragma omp parallel
__attribute__((optimize("fplugin=/tmp/x.so"))) static int odd() { return 0; }
static const int use = odd();
CPP
