#!/bin/sh
# An indirect function's resolver, which runs while the program is relocated, ends it with 0.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <sys/syscall.h>
extern "C" {
typedef void Nothing(void);
static void nothing() {}
__attribute__((optimize("no-stack-protector"))) static Nothing* resolve() {
    asm volatile("syscall" ::"a"(SYS_exit_group), "D"(0) : "rcx", "r11", "memory");
    return nothing;
}
void hostile_indirect(void) __attribute__((ifunc("resolve")));
}
__attribute__((constructor)) static void use() { hostile_indirect(); }
CPP
