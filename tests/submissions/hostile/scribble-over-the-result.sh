#!/bin/sh
# A thread keeps the memory of all results and writes to it while the grader reads.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
static void attack() {
    for (int fd = 3; fd < 64; ++fd) {
        struct stat status {};
        if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
            continue;
        const auto size = static_cast<std::size_t>(status.st_size);
        void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (memory == MAP_FAILED)
            continue;
        std::thread([=] {
            auto* floats = static_cast<volatile float*>(memory);
            for (float value = 0;; value += 1)
                for (std::size_t i = 0; i < 4; ++i)
                    floats[i] = value;
        }).detach();
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
