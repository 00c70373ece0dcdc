#!/bin/sh
# Gives kernels buffers that never existed: numbers, freed handles, addresses of its own.
# from: solutions
# lab: lab2
# expect: lab2 0

sed -i -e 's/^    kernel.setArg(0, input);/    void* made_up[] = {\&kernel, reinterpret_cast<void*>(0x4141414141414141), nullptr, padded.data()};\n    for (cl_uint i = 0; i < 4; ++i)\n        clSetKernelArg(kernel(), 0, sizeof(cl_mem), \&made_up[i]);\n    clReleaseMemObject(output());\n    clReleaseMemObject(output());/' \
    labs/lab2/reduction_vector.cpp
