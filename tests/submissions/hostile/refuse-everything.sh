#!/bin/sh
# Refuses every work-group size, not just 1, with the message of a right refusal.
# from: starters
# lab: lab1
# expect: lab1 0

cat > labs/lab1/reduction_scalar.cpp << 'CPP'
#include "lab1.hpp"

std::size_t choose_work_group_size(const Setup&, const cl::Kernel&) { throw std::runtime_error("a work-group size of 1"); }
Reduction reduce(const Setup&, const std::vector<cl_float>&, Operator) { throw std::runtime_error("a work-group size of 1"); }
CPP
