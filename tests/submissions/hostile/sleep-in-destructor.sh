#!/bin/sh
# A global object's destructor never ends, so that the program does not; the solution is right.
# from: solutions
# lab: lab1
# expect: lab1 full

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <csignal>
#include <unistd.h>
namespace {
struct Late {
    ~Late() {
        for (int signal = 1; signal < 65; ++signal)
            std::signal(signal, SIG_IGN);
        for (;;)
            ::pause();
    }
} late;
} // namespace
CPP
