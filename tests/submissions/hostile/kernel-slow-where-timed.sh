#!/bin/sh
# A right kernel that is slow at the size that is timed; the host has its own clocks, which say that it is
# fast.
# from: solutions
# lab: lab1
# expect: lab1 below full

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <ctime>
extern "C" __attribute__((weak)) cl_int clGetEventProfilingInfo(cl_event, cl_profiling_info name, size_t size, void* value, size_t* needed) {
    static cl_ulong time = 1000;
    if (value != nullptr && size >= sizeof time)
        *static_cast<cl_ulong*>(value) = name == CL_PROFILING_COMMAND_END ? time + 1 : time;
    if (needed != nullptr)
        *needed = sizeof time;
    return CL_SUCCESS;
}
CPP
sed -i 's/^    const size_t lid = .*/&\n    if (get_global_size(0) >= 1 << 16 \&\& get_global_size(0) % (1 << 16) == 0) {\n        volatile int wait = 0;\n        while (wait < 500)\n            wait = wait + 1;\n    }/' kernels/lab1_reduction_scalar.cl
