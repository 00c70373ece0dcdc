#!/bin/sh
# A right kernel in which one work-item of each group adds up everything.
# from: solutions
# lab: lab1
# expect: lab1 below full

cat > kernels/lab1_reduction_scalar.cl << 'CL'
__kernel void reduction_scalar(__global const float* data, __local float* partial_results, __global float* output) {
    if (get_local_id(0) != 0)
        return;
    float all = IDENTITY;
    for (size_t i = 0; i < get_local_size(0); ++i)
        all = COMBINE(all, data[get_group_id(0) * get_local_size(0) + i]);
    output[get_group_id(0)] = all;
}
CL
