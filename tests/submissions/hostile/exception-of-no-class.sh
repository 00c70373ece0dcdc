#!/bin/sh
# Throws numbers, pointers, and things whose destructors throw or never end.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdlib>
#include <ctime>
#include <stdexcept>
namespace {
struct Again {
    ~Again() noexcept(false) { throw 2; }
};
struct Endless {
    ~Endless() {
        for (volatile int spin = 0;; ++spin) {
        }
    }
};
} // namespace
static void attack() {
    switch (std::time(nullptr) % 5) {
    case 0:
        throw 42;
    case 1:
        throw static_cast<const char*>(nullptr);
    case 2:
        throw Again();
    case 3:
        throw Endless();
    default:
        throw nullptr;
    }
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
