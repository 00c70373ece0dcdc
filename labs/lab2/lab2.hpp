#pragma once

#include "reduction.hpp"

/// Combines all elements of `data` with the kernel reduction_vector: a work-item takes four
/// elements as one float4, so there are a quarter as many work-items as in lab 1. `work_group_size`
/// is a power of two, at least 2; the size of `data` is any number above 0.
cl_float reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op,
                std::size_t work_group_size);

#define LAB_FUNCTIONS LAB_FUNCTION(reduce)
