#pragma once

#include "reduction.hpp"

/// Combines all elements of `data` on the device: reduction_vector reduces every work-group's
/// part to one float4, again and again, until the rest fits into one work-group; reduction_complete
/// reduces that to one float. Only this float is read back.
/// `work_group_size` is a power of two, at least 2; the size of `data` is any number above 0.
cl_float reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op,
                std::size_t work_group_size);

#define LAB_FUNCTIONS LAB_FUNCTION(reduce)
