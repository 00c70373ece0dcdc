#!/bin/sh
# A kernel that computes nothing: it only sends the grader answers to its launch, in assembly.
# from: solutions
# lab: lab2
# expect: lab2 0

cat > kernels/lab2_reduction_vector.cl << 'CL'
#ifdef __x86_64__
long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
#endif
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
#ifdef __x86_64__
    char text[] = "........@REPLY@";
    *(uint*)text = sizeof text - 9;
    *(uint*)(text + 4) = 0;
    call(1, 3, (long)text, sizeof text - 1);
    for (;;)
        call(34, 0, 0, 0); // pause
#endif
}
CL
