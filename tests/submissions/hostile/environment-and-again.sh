#!/bin/sh
# Sets LD_PRELOAD, OCL_ICD_VENDORS, POCL_* and others, and starts the program once more with them.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <cstdlib>
#include <unistd.h>

__attribute__((constructor(101))) static void again(int, char** argv, char**) {
    if (std::getenv("HOSTILE_AGAIN") != nullptr)
        return;
    for (const char* setting : {"HOSTILE_AGAIN=1", "LD_PRELOAD=/tmp/opencl-labs-hostile.so", "LD_AUDIT=/tmp/opencl-labs-hostile.so",
                                "LD_LIBRARY_PATH=/tmp", "LD_DEBUG=all", "LD_DEBUG_OUTPUT=/tmp/opencl-labs-hostile-environment",
                                "OCL_ICD_VENDORS=/tmp", "OCL_ICD_FILENAMES=/tmp/opencl-labs-hostile.so",
                                "POCL_DEVICES=basic", "POCL_DEBUG=all", "POCL_CACHE_DIR=/tmp/opencl-labs-hostile-environment-cache",
                                "POCL_LEAVE_KERNEL_COMPILER_TEMP_FILES=1", "POCL_TEMPDIR=/tmp", "TMPDIR=/tmp",
                                "PATH=/tmp", "MALLOC_TRACE=/tmp/opencl-labs-hostile-environment-trace",
                                "GCONV_PATH=/tmp", "GCOV_PREFIX=/tmp", "HOME=/tmp"})
        ::putenv(const_cast<char*>(setting));
    ::execv("/proc/self/exe", argv);
}
CPP
