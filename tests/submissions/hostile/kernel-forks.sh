#!/bin/sh
# A right kernel that starts a process, which runs in its own session for five minutes.
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
    if (call(57, 0, 0, 0) == 0) { // fork
        char name[16] = "hostile-kernel";
        long time[2] = {300, 0};
        call(157, 15, (long)name, 0); // prctl(PR_SET_NAME)
        call(112, 0, 0, 0);           // setsid
        call(35, (long)time, 0, 0);   // nanosleep
        call(231, 0, 0, 0);
    }
}
#else
void attack(void) {}
#endif

CL
    sed 's/^    const size_t lid = .*/&\n    if (get_global_id(0) == 0)\n        attack();/' kernels/lab1_reduction_scalar.cl
} > hostile.tmp
mv hostile.tmp kernels/lab1_reduction_scalar.cl
