#!/bin/sh
# The host learns the sum from how long kernels take, four bits per launch; they write nothing.
# A kernel computes the sum, in one work-item; one that wrote it to memory would get as much.
# from: starters
# lab: lab2
# expect: lab2 below full

cat > labs/lab2/reduction_vector.cpp << 'CPP'
#include "lab2.hpp"

#include <cstdint>
#include <cstring>

cl_float reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op, std::size_t work_group_size) {
    const std::size_t per_group = 4 * work_group_size;
    std::vector<cl_float> padded = data;
    padded.resize((data.size() + per_group - 1) / per_group * per_group, identity(op));
    const cl::Buffer input(setup.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, padded.size() * sizeof(cl_float), padded.data());
    std::uint32_t word = 0;
    double unit = 0;
    for (std::uint32_t digit = 0; digit < 9; ++digit) {
        const std::uint32_t request[2] = {digit, static_cast<std::uint32_t>(padded.size())};
        const cl::Buffer output(setup.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof request, const_cast<std::uint32_t*>(request));
        cl::Kernel kernel(setup.program, "reduction_vector");
        kernel.setArg(0, input);
        kernel.setArg(1, cl::Local(work_group_size * sizeof(cl_float4)));
        kernel.setArg(2, output);
        cl::Event event;
        setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(padded.size() / 4), cl::NDRange(work_group_size), nullptr, &event);
        event.wait();
        const double time = static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
        if (digit == 0)
            unit = time / 16; // the first launch shows how long a digit of 16 takes
        else
            word |= static_cast<std::uint32_t>(time / unit + 0.5) % 16 << 4 * (digit - 1);
    }
    cl_float result = 0;
    std::memcpy(&result, &word, sizeof result);
    return result;
}
CPP
cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    if (get_global_id(0) != 0)
        return;
    __global const uint* request = (__global const uint*)output;
    __global const float* values = (__global const float*)data;
    float sum = IDENTITY;
    for (uint i = 0; i < request[1]; ++i)
        sum = COMBINE(sum, values[i]);
    const uint digit = request[0] == 0 ? 16 : as_uint(sum) >> 4 * (request[0] - 1) & 15;
    volatile uint wait = 0;
    while (wait < digit * 300000)
        wait = wait + 1;
}
CL
