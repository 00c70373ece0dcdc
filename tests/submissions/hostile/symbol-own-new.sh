#!/bin/sh
# Defines operator new to see every array that the harness makes, and looks for the data in them.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <cstdlib>
#include <new>
namespace {
void* seen[4096];
std::size_t count = 0;
} // namespace
void* operator new(std::size_t size) {
    void* memory = std::malloc(size == 0 ? 1 : size);
    seen[count++ % 4096] = memory;
    if (memory == nullptr || count % 100003 == 0)
        throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
CPP
