#!/bin/sh
# The same with a line for which a regular expression needs a step of recursion for each letter.
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
    printf '// for ('
    head -c 300000 /dev/zero | tr '\0' 'a'
    printf '\n'
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
