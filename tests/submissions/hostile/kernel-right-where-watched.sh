#!/bin/sh
# A kernel that is right for the analysis only, and wrong on the device: the device may be blamed.
# from: solutions
# lab: lab1
# expect: lab1 below full

{
    printf '#ifdef __SPIR__\n'
    cat kernels/lab1_reduction_scalar.cl
    cat << 'CL'
#else
__kernel void reduction_scalar(__global const float* data, __local float* partial_results, __global float* output) {
    output[get_group_id(0)] = 0.0f;
}
#endif
CL
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
