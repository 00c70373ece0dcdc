#!/bin/sh
# The host builds its own program from a text in the host code; the kernel file does nothing.
# from: starters
# lab: lab4
# expect: lab4 0

cat > labs/lab4/hillis_steele_scan.cpp << 'CPP'
#include "lab4.hpp"

std::vector<cl_float> inclusive_scan(const Setup& setup, const std::vector<cl_float>& data, std::size_t work_group_size) {
    cl::Program own(setup.context, "__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp, uint n) {"
                                   "    if (get_global_id(0) == 0) for (uint i = 1; i < n; ++i) values[i] += values[i - 1];"
                                   "}");
    own.build({setup.device}, "-cl-std=CL1.2 -I/etc -I../../solutions/kernels");
    const std::size_t bytes = data.size() * sizeof(cl_float);
    const cl::Buffer values(setup.context, CL_MEM_READ_WRITE, bytes);
    setup.queue.enqueueWriteBuffer(values, CL_TRUE, 0, bytes, data.data());
    cl::Kernel kernel(own, "scan_groups");
    kernel.setArg(0, values);
    kernel.setArg(1, values);
    kernel.setArg(2, cl::Local(work_group_size * sizeof(cl_float)));
    kernel.setArg(3, static_cast<cl_uint>(data.size()));
    const std::size_t items = (data.size() + work_group_size - 1) / work_group_size * work_group_size;
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NDRange(work_group_size));
    std::vector<cl_float> result(data.size());
    setup.queue.enqueueReadBuffer(values, CL_TRUE, 0, bytes, result.data());
    return result;
}
CPP
