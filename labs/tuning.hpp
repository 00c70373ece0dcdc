#pragma once

#include "runner/lab.hpp"

/// Sizes that make a kernel fast on a device. They never change a result.

/// A tile of lab 8: a work-group scans work_group_size * items elements.
struct ScanSizes {
    std::size_t work_group_size;
    std::size_t items; ///< elements of each work-item
};

/// The tile for a scan on `device`.
///
///     measured on                          tile         GB/s   other tiles
///     NVIDIA H100, 2^28 floats             256 x 32     2927   256 x 64: 2939, 384 x 48: 2382
///     2 cores of a Xeon, POCL, 2^25        1 x 16384    17.1   1 x 4096: 15.4, 64 x 256: 14.8
///
/// A processor runs the work-items of a group one after the other, so one work-item a group is
/// best, with a tile that stays in its cache. Any other device is taken for a GPU.
inline ScanSizes scan_sizes(const cl::Device& device) {
    if ((device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0)
        return {1, 16384};
    const std::size_t limit = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    for (const std::size_t size : {256, 128, 64}) {
        const std::size_t local_bytes = 12 * size * sizeof(cl_float);
        if (size <= limit && local_bytes <= device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>())
            return {size, 32};
    }
    return {1, 1024};
}
