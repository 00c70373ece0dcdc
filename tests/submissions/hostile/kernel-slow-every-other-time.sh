#!/bin/sh
# A right kernel that is slow in two of four launches, so that no measurement of it seems certain.
# from: solutions
# lab: lab1
# expect: lab1 any

sed -i -e 's/^    cl::Event event;/    static unsigned calls = 0;\n    kernel.setArg(1, cl::Local((group_size + ((calls++ \/ 2) % 2)) * sizeof(cl_float)));\n&/' labs/lab1/reduction_scalar.cpp
sed -i 's/^    const size_t lid = .*/&\n    if (get_global_size(0) >= 1 << 16 \&\& get_global_size(0) % (1 << 16) == 0 \&\& ((ulong)output >> 6) % 2 == 0) {\n        volatile int wait = 0;\n        while (wait < 500)\n            wait = wait + 1;\n    }/' kernels/lab1_reduction_scalar.cl
