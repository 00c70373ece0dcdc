#!/bin/sh
# A right kernel file with a constructor, which runs when the compiled kernel is loaded.
# from: solutions
# lab: lab1
# expect: lab1 below full

cat >> kernels/lab1_reduction_scalar.cl << 'CL'

#ifdef __x86_64__
__attribute__((constructor)) void early(void) {
    char path[] = "/tmp/opencl-labs-hostile-kernel-constructor";
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(2L), "D"((long)path), "S"(0101L), "d"(0644L) : "rcx", "r11", "memory");
    __asm__ volatile("syscall" : "=a"(result) : "a"(231L), "D"(0L) : "rcx", "r11", "memory");
}
#endif
CL
