#pragma once

#include "runner/lab.hpp"

/// How the sums of the work-groups are combined.
enum class Finish : cl_int {
    host,             ///< the host adds them up
    kernels,          ///< a second launch adds them up, in one group
    lock,             ///< each group adds its sum to the total, under a lock
    compare_exchange, ///< the same with a compare-and-swap instead of the lock
    last_group,       ///< the group that finishes last adds them up
    tickets,          ///< the same, and each group takes its elements in tiles, by tickets
};

/// The sum of `data`, by as many work-groups as the device can use, or fewer if there are not 16
/// elements for each work-item (see labs/tuning.hpp). `work_group_size` is a power of two, at least
/// 2; the size of `data` is any number above 0.
cl_float direct_sum(const Setup& setup, const std::vector<cl_float>& data,
                    std::size_t work_group_size, Finish finish);

#define LAB_FUNCTIONS LAB_FUNCTION(direct_sum)
