#!/bin/sh
# Changes the lab's own header, so that the function under test is a different one that needs no kernel.
# from: starters
# lab: lab1
# expect: lab1 0

cat > labs/lab1/lab1.hpp << 'CPP'
#pragma once
#include "reduction.hpp"
#include <numeric>
struct Reduction { cl_float value; cl_ulong nanoseconds; };
inline Reduction sum(const Setup&, const std::vector<cl_float>& data, Operator) { return {std::accumulate(data.begin(), data.end(), 0.0F), 1}; }
inline std::size_t choose(const Setup&, const cl::Kernel&) { return 64; }
std::size_t choose_work_group_size(const Setup& setup, const cl::Kernel& kernel);
Reduction reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op);
#define bind(x) bind_##x
#define LAB_FUNCTIONS {"choose_work_group_size", runner::bind(&choose)}, {"reduce", runner::bind(&sum)},
CPP
