#!/bin/sh
# A thread keeps changing the journal while the call hangs and the grader reads it.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
static void attack() {
    struct stat status {};
    ::fstat(4, &status);
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    if (memory == MAP_FAILED)
        ::_exit(1);
    std::thread([=] {
        auto* words = static_cast<volatile unsigned*>(memory);
        for (unsigned i = 0;; ++i)
            words[i % (size / 4)] = i * 2654435761U;
    }).detach();
    for (;;)
        ::pause();
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
