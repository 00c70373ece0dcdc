#!/bin/sh
# Makes system calls as a program of 32 bits does, and those of x32, past a filter that knows one table.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstring>
#include <initializer_list>
#include <sys/mman.h>
#include <unistd.h>
static void attack() {
    char* const low = static_cast<char*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
    for (const char* path : {"/tmp/opencl-labs-hostile-system-calls-of-32-bits", "/dev/shm/opencl-labs-hostile-system-calls-of-32-bits"}) {
        std::strcpy(low, path);
        long result = 0;
        asm volatile("push %%rbx\n\tmov %k1, %%ebx\n\tint $0x80\n\tpop %%rbx" // open, O_CREAT | O_WRONLY
                     : "=a"(result)
                     : "r"(low), "0"(5L), "c"(0101L), "d"(0644L)
                     : "memory", "r8", "r9", "r10", "r11");
        ::syscall(0x40000000 + 2, path, 0101, 0644);
        asm volatile("push %%rbx\n\tmov $1000, %%ebx\n\tint $0x80\n\tpop %%rbx" : "=a"(result) : "0"(2L) : "memory", "r8", "r9", "r10", "r11"); // fork
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
