#!/bin/sh
# A tree about 30 times too slow, and 250 more launches that do nothing. If each were measured beside a
# baseline, no time would be left for enough rounds to prove that the tree is slow.
# from: solutions
# lab: lab1
# expect: lab1 below full
# says: too slow for the amount of work

sed -i 's/^    \/\/ The queue is in order.*/    for (int i = 0; data.size() >= 1 << 16 \&\& data.size() % (1 << 16) == 0 \&\& i < 250; ++i)\n        setup.queue.enqueueNDRangeKernel(cl::Kernel(setup.program, "nothing"), cl::NullRange, cl::NDRange(1), cl::NDRange(1));\n&/' labs/lab1/reduction_scalar.cpp
sed -i 's/^    const size_t lid = .*/&\n    if (get_global_size(0) >= 1 << 16 \&\& get_global_size(0) % (1 << 16) == 0) {\n        volatile int wait = 0;\n        while (wait < 250)\n            wait = wait + 1;\n    }/' kernels/lab1_reduction_scalar.cl
echo '__kernel void nothing(void) {}' >> kernels/lab1_reduction_scalar.cl
