#!/bin/sh
# A global object sleeps forever, before main.
# from: starters
# lab: lab1
# expect: lab1 0

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

#include <unistd.h>
namespace {
struct Early {
    Early() {
        for (;;)
            ::pause();
    }
} early;
} // namespace
CPP
