#!/bin/sh
# A right kernel that makes its own system calls: it leaves files where it may not.
# from: solutions
# lab: lab1
# expect: lab1 any

{
    cat << 'CL'
#ifdef __x86_64__
long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
void attack(void) {
    // open, O_CREAT | O_WRONLY; write
    char path1[] = "/tmp/opencl-labs-hostile-kernel-system-calls";
    char path2[] = "/dev/shm/opencl-labs-hostile-kernel-system-calls";
    char path3[] = "../opencl-labs-hostile-kernel-system-calls";
    char path4[] = "/var/tmp/opencl-labs-hostile-kernel-system-calls";
    call(1, call(2, (long)path1, 0101, 0644), (long)path1, 10);
    call(1, call(2, (long)path2, 0101, 0644), (long)path2, 10);
    call(1, call(2, (long)path3, 0101, 0644), (long)path3, 10);
    call(1, call(2, (long)path4, 0101, 0644), (long)path4, 10);
}
#else
void attack(void) {}
#endif

CL
    sed 's/^    const size_t lid = .*/&\n    if (get_global_id(0) == 0)\n        attack();/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
