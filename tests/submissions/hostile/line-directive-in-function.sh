#!/bin/sh
# Claims with #line that the function is in /etc/passwd under a folder labs, and crashes there.
# from: starters
# lab: lab1
# expect: lab1 0

cat > labs/lab1/reduction_scalar.cpp << 'CPP'
#include "lab1.hpp"

#line 1 "/etc/labs/../passwd"
static void crash() {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
}
#line 4294967 "labs/lab1/$(touch hostile)`touch hostile`'\"\n::error::x"
std::size_t choose_work_group_size(const Setup&, const cl::Kernel&) { return crash(), 1; }
Reduction reduce(const Setup&, const std::vector<cl_float>&, Operator) { return crash(), Reduction{}; }
CPP
