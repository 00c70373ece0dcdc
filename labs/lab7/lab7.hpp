#pragma once

#include "runner/lab.hpp"

/// How the sums of the work-groups become one.
enum class Finish : cl_int {
    host,             ///< the host adds them up
    kernels,          ///< a second launch does, in one group
    lock,             ///< each group adds its own to the total, under a lock
    compare_exchange, ///< the same with a compare-and-swap in place of the lock
    last_group,       ///< the group that is done last adds them up
};

/// The sum of `data`. As many work-groups as the device can use share it, or fewer if there are not
/// 16 elements for each work-item (see labs/tuning.hpp). `work_group_size` is a power of two from 2 on;
/// the size of `data` is any number above 0.
cl_float direct_sum(const Setup& setup, const std::vector<cl_float>& data,
                    std::size_t work_group_size, Finish finish);

#define LAB_FUNCTIONS LAB_FUNCTION(direct_sum)
