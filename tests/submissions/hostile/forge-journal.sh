#!/bin/sh
# Fills the journal, which the grader reads after a death, with random words and markup, and dies.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
static void attack() {
    struct stat status {};
    ::fstat(4, &status);
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    if (memory == MAP_FAILED)
        ::_exit(1);
    static const char text[] = "\n::error file=/etc/passwd::<script>\x1b[31m]]>\xff";
    auto* bytes = static_cast<char*>(memory);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = i < 16 ? static_cast<char>(0xff) : text[i % (sizeof text - 1)];
    if (::getpid() % 2 == 0)
        std::memset(bytes + size - 400, 0xff, 400);
    ::kill(::getpid(), SIGKILL);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
