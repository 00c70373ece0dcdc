#pragma once

#include "runner/lab.hpp"

// In all functions, `work_group_size` is a power of two, at least 2; vectors have any size above 0.

/// x[0] * y[0] + x[1] * y[1] + ...; `x` and `y` have the same size.
/// The kernel dot_groups leaves one float for each work-group, and the host adds them up.
cl_float dot_product(const Setup& setup, const std::vector<cl_float>& x,
                     const std::vector<cl_float>& y, std::size_t work_group_size);

/// The root mean square of `x`: the square root of the mean of all x[i] * x[i].
cl_float root_mean_square(const Setup& setup, const std::vector<cl_float>& x,
                          std::size_t work_group_size);

/// The elements of `data` that are above 0, in their order.
/// The kernels mark, scan_groups, combine_offsets and scatter do the work. The host reads back how
/// many elements there are, and these elements.
std::vector<cl_float> compact(const Setup& setup, const std::vector<cl_float>& data,
                              std::size_t work_group_size);

/// v(1), v(2), ..., where v(0) = `start` and v(i + 1) = (1 - lambda[i]) * v(i) + lambda[i] * u[i].
/// Element i of the result is v(i + 1). `lambda` and `u` have the same size.
/// The kernels make_maps, scan_groups, combine_offsets and apply_maps do the work.
std::vector<cl_float> solve_recurrence(const Setup& setup, cl_float start,
                                       const std::vector<cl_float>& lambda,
                                       const std::vector<cl_float>& u, std::size_t work_group_size);

#define LAB_FUNCTIONS                                                                              \
    LAB_FUNCTION(dot_product)                                                                      \
    LAB_FUNCTION(root_mean_square) LAB_FUNCTION(compact) LAB_FUNCTION(solve_recurrence)
