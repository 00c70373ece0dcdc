#!/bin/sh
# A right kernel that writes its own answer into the connection to the grader, with times of a nanosecond.
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
    char text[] = "........@REPLY@";
    *(uint*)text = sizeof text - 9;
    *(uint*)(text + 4) = 0;
    call(1, 3, (long)text, sizeof text - 1);
}
#else
void attack(void) {}
#endif

CL
    sed 's/^    const size_t lid = .*/&\n    if (get_global_id(0) == 0)\n        attack();/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
