#!/bin/sh
# Right, but a thread of its own calls OpenCL all the time, on the same queue and with the same kernels.
# from: solutions
# lab: lab1
# expect: lab1 any

{
    cat << 'CPP'
#include "lab1.hpp"

#include <atomic>
#include <thread>
static void meddle(const Setup& setup) {
    static std::atomic<bool> started{false};
    if (started.exchange(true))
        return;
    std::thread([setup] {
        for (;;) {
            try {
                cl::Kernel kernel(setup.program, "reduction_scalar");
                const cl::Buffer buffer(setup.context, CL_MEM_READ_WRITE, 4096);
                kernel.setArg(0, buffer);
                kernel.setArg(1, cl::Local(256));
                kernel.setArg(2, buffer);
                setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(64), cl::NDRange(64));
            } catch (const cl::Error&) {
                std::this_thread::yield();
            }
        }
    }).detach();
}

CPP
    sed 's/^Reduction reduce(.*) {$/&\n    meddle(setup);/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
