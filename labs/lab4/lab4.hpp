#pragma once

#include "runner/lab.hpp"

/// The inclusive scan of `data`: element i of the result is data[0] + ... + data[i].
/// The kernels scan_groups and add_offsets do the work; a work-group takes work_group_size elements
/// and has local memory for at least as many floats.
/// `work_group_size` is a power of two, at least 2; the size of `data` is any number above 0.
std::vector<cl_float> inclusive_scan(const Setup& setup, const std::vector<cl_float>& data,
                                     std::size_t work_group_size);

#define LAB_FUNCTIONS LAB_FUNCTION(inclusive_scan)
