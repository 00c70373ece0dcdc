#!/bin/sh
# A kernel that writes far and wide outside its buffers.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    for (long i = 0; i < 1L << 34; i += 61)
        output[(i & 1) ? i : -i] = 1.0f;
}
CL
