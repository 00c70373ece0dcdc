#!/bin/sh
# Releases everything that it was given and that it made, more often than allowed.
# from: solutions
# lab: lab2
# expect: lab2 any

sed -i -e 's/^    cl_float result = identity(op);/    for (int i = 0; i < 3; ++i) {\n        clReleaseKernel(kernel());\n        clReleaseMemObject(input());\n        clReleaseProgram(setup.program());\n        clReleaseCommandQueue(setup.queue());\n        clReleaseContext(setup.context());\n    }\n&/' \
    labs/lab2/reduction_vector.cpp
