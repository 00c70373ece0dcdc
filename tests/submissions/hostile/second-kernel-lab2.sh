#!/bin/sh
# The kernel adds only for show; another one, in groups of one work-item, adds up sixteen numbers per group.
# from: solutions
# lab: lab2
# expect: lab2 below full
# says: one work-item does most of its group's additions

cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float4* output) {
    const float4 mine = data[get_global_id(0)];
    partial_results[get_local_id(0)] = mine + mine;
    output[get_global_id(0)] = mine;
}

__kernel void add_some(__global const float* from, __global float* to, uint count) {
    float all = IDENTITY;
    for (uint i = 0; i < count; ++i)
        all = COMBINE(all, from[count * get_global_id(0) + i]);
    to[get_global_id(0)] = all;
}
CL
sed -i \
    -e 's/kernel.setArg(2, output);/const cl::Buffer parts[2]{cl::Buffer(setup.context, CL_MEM_READ_WRITE, padded.size() * sizeof(cl_float)), cl::Buffer(setup.context, CL_MEM_READ_WRITE, padded.size() * sizeof(cl_float))}; kernel.setArg(2, parts[0]);/' \
    -e 's/setup.queue.enqueueReadBuffer(output,/cl::Kernel some(setup.program, "add_some"); int from = 0; std::size_t left = padded.size(); for (std::size_t group = 4 * work_group_size; group > 1;) { const std::size_t count = group < 16 ? group : 16; left \/= count; group \/= count; some.setArg(0, parts[from]); some.setArg(1, group == 1 ? output : parts[1 - from]); some.setArg(2, static_cast<cl_uint>(count)); setup.queue.enqueueNDRangeKernel(some, cl::NullRange, cl::NDRange(left), cl::NDRange(1)); from = 1 - from; }\n    &/' \
    -e 's/CL_MEM_WRITE_ONLY, groups/CL_MEM_READ_WRITE, groups/' labs/lab2/reduction_vector.cpp
