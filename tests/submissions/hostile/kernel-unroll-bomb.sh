#!/bin/sh
# Loops that the compiler is asked to unroll, 2^40 steps of them, on vectors of sixteen.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    float16 all = 0;
#pragma unroll 65536
    for (int i = 0; i < 65536; ++i)
#pragma unroll 65536
        for (int j = 0; j < 65536; ++j)
#pragma unroll 256
            for (int k = 0; k < 256; ++k)
                all = sin(all) * exp(all) + pow(all, i + j + k);
    output[get_group_id(0)] = all.s0 + all.sf;
}
CL
