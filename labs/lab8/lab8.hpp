#pragma once

#include "runner/lab.hpp"

/// The inclusive scan of `data`: element i of the result is data[0] + ... + data[i].
/// One launch of the kernel single_pass_scan does all the work. A work-group scans one tile of
/// work_group_size * items elements, `items` for each of its work-items.
/// `work_group_size` is a power of two, at least 1; `items` and the size of `data` are any numbers
/// above 0, but a tile has less than 2^31 elements.
std::vector<cl_float> scan_floats(const Setup& setup, const std::vector<cl_float>& data,
                                  std::size_t work_group_size, std::size_t items);

/// The same for ints. A sum that is too large for an int wraps around.
std::vector<cl_int> scan_ints(const Setup& setup, const std::vector<cl_int>& data,
                              std::size_t work_group_size, std::size_t items);

/// scan_floats() with the tile that suits the device.
std::vector<cl_float> scan_floats_tuned(const Setup& setup, const std::vector<cl_float>& data);

#define LAB_FUNCTIONS                                                                              \
    LAB_FUNCTION(scan_floats) LAB_FUNCTION(scan_ints) LAB_FUNCTION(scan_floats_tuned)
