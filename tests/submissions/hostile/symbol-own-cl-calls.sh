#!/bin/sh
# Defines OpenCL functions that the harness watches, so that launches are recorded but never made.
# from: solutions
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

extern "C" cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*,
                                         cl_uint, const cl_event*, cl_event*) {
    return CL_SUCCESS;
}
extern "C" cl_int clEnqueueReadBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void*, cl_uint, const cl_event*,
                                      cl_event*) {
    return CL_SUCCESS;
}
CPP
