#pragma once

#include "reduction.hpp"

/// The result of reduce().
struct Reduction {
    cl_float value;       ///< all elements combined
    cl_ulong nanoseconds; ///< how long the kernel ran on the device, from start to end
};

/// The largest power of two that can be the work-group size of `kernel`: no larger than the
/// device's maximum, no larger than the kernel's own limit, and small enough that one float for
/// each work-item fits into local memory. If only 1 is left, throws std::runtime_error with a
/// message that contains "work-group".
std::size_t choose_work_group_size(const Setup& setup, const cl::Kernel& kernel);

/// Combines all elements of `data` with the kernel reduction_scalar, one work-item per element.
/// The size of `data` is any number above 0.
Reduction reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op);

#define LAB_FUNCTIONS LAB_FUNCTION(choose_work_group_size) LAB_FUNCTION(reduce)
