#pragma once

/// What suits which device: figures that were measured, in one place. A device that is not known gets
/// those of a GPU.

#include "runner/lab.hpp"

/// How to launch lab 7's reduction on a device.
struct ReductionTuning {
    std::size_t work_group_size;             ///< where the caller does not say another one
    std::size_t work_items_per_compute_unit; ///< in all groups of a compute unit together
    bool chunks; ///< a work-item takes neighbouring float4; if not, neighbouring work-items do
};

inline ReductionTuning reduction_tuning(const cl::Device& device) {
    // 2-core Xeon, POCL 3.1, 2^25 floats: 21 GB/s in chunks, whatever the sizes; 1 to 7 in strides.
    if ((device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0)
        return {64, 256, true};
    // NVIDIA H100, 2^28 floats: 3074 GB/s with 8 groups of 128 for each compute unit.
    return {128, 1024, false};
}
