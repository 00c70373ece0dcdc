#pragma once

#include "runner/lab.hpp"

/// Four numbers that belong together. `kernels/lab6_lock.cl` has the same struct.
struct Summary {
    cl_int count;    ///< elements seen
    cl_int sum;      ///< the sum of all of them
    cl_int maximum;  ///< the largest one
    cl_int position; ///< its index; the smallest if it occurs several times
};

/// Summarizes `data` with the kernel summarise: every work-group summarizes its elements, and then
/// one work-item of the group merges that into the one global Summary, under a lock.
/// `work_group_size` is a power of two, at least 2; the size of `data` is any number above 0.
Summary summarise(const Setup& setup, const std::vector<cl_int>& data, std::size_t work_group_size);

/// The sum of `data` by the kernel sum_double: every work-item adds its element to one global
/// double, atomically, with a compare-and-swap on 64 bits.
cl_double sum_double(const Setup& setup, const std::vector<cl_double>& data,
                     std::size_t work_group_size);

#define LAB_FUNCTIONS LAB_FUNCTION(summarise) LAB_FUNCTION(sum_double)
