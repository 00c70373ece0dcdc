#pragma once

#include "reduction.hpp"

/// Combines all elements of `data` on the device: reduction_vector makes one float4 of every
/// work-group, again and again, until what is left fits into one work-group; reduction_complete
/// makes one float of that. Only this float is read back.
/// `work_group_size` is a power of two from 2 on; the size of `data` is any number above 0.
cl_float reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op,
                std::size_t work_group_size);

#define LAB_FUNCTIONS LAB_FUNCTION(reduce)
