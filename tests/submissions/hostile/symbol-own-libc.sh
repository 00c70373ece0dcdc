#!/bin/sh
# Defines functions of libc that harness and drivers use: memcmp finds everything equal, malloc runs out,
# abort and _exit return, dlsym looks elsewhere.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
extern "C" {
int memcmp(const void*, const void*, std::size_t) noexcept { return 0; }
int bcmp(const void*, const void*, std::size_t) noexcept { return 0; }
__attribute__((noreturn)) void abort() noexcept { _Exit(0); }
int kill(int, int) noexcept { return 0; }
int raise(int) noexcept { return 0; }
int sigaction(int, const struct sigaction*, struct sigaction*) noexcept { return 0; }
int sigwait(const void*, int*) { return 1; }
}
CPP
