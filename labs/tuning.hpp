#pragma once

/// What suits which device: measured figures, in one place. An unknown device gets those of a GPU.

#include "runner/lab.hpp"

/// How to launch the reduction of lab 7.
struct ReductionTuning {
    std::size_t work_group_size;             ///< unless the caller asks for another one
    std::size_t work_items_per_compute_unit; ///< all groups of a compute unit together
    bool chunks; ///< true: a work-item reads neighboring float4; false: neighboring work-items do
};

inline ReductionTuning reduction_tuning(const cl::Device& device) {
    // 2-core Xeon, POCL 3.1, 2^25 floats, 2026-11: 25.3 GB/s in chunks, 1.8 otherwise. Groups of 16, 64
    // and 256 differ by less than 10 %.
    if ((device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0)
        return {64, 256, true};
    // NVIDIA H100, 2^28 floats, 2026-11: 3074 GB/s with 8 groups of 128 on each compute unit.
    return {128, 1024, false};
}
