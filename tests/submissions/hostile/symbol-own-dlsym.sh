#!/bin/sh
# Defines dlsym, which gives the harness functions that do nothing instead of OpenCL's.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <cstring>
#include <dlfcn.h>
static int nothing() { return 0; }
extern "C" void* dlsym(void* handle, const char* name) noexcept {
    if (std::strncmp(name, "clEnqueue", 9) == 0)
        return reinterpret_cast<void*>(&nothing);
    return ::dlvsym(handle, name, "OPENCL_1.0");
}
CPP
