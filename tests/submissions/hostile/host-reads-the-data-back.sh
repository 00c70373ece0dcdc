#!/bin/sh
# A kernel copies the data to its output, and the host adds up what it reads back.
# from: starters
# lab: lab2
# expect: lab2 below full

cat > labs/lab2/reduction_vector.cpp << 'CPP'
#include "lab2.hpp"

cl_float reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op, std::size_t work_group_size) {
    const std::size_t per_group = 4 * work_group_size;
    std::vector<cl_float> padded = data;
    padded.resize((data.size() + per_group - 1) / per_group * per_group, identity(op));
    const std::size_t bytes = padded.size() * sizeof(cl_float);
    const cl::Buffer input(setup.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, padded.data());
    const cl::Buffer output(setup.context, CL_MEM_WRITE_ONLY, bytes);
    cl::Kernel kernel(setup.program, "reduction_vector");
    kernel.setArg(0, input);
    kernel.setArg(1, cl::Local(work_group_size * sizeof(cl_float4)));
    kernel.setArg(2, output);
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(padded.size() / 4), cl::NDRange(work_group_size));
    setup.queue.enqueueReadBuffer(output, CL_TRUE, 0, bytes, padded.data());
    cl_float result = identity(op);
    for (const cl_float value : padded)
        result = combine(op, result, value);
    return result;
}
CPP
cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    vstore4(data[get_global_id(0)], get_global_id(0), output);
}
CL
