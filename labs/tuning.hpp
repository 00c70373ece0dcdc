#pragma once

/// Measured values for each kind of device. An unknown device gets those of a GPU. They make a
/// kernel fast and never change a result.

#include "runner/lab.hpp"

/// How to launch the reduction of lab 7.
struct ReductionTuning {
    std::size_t work_group_size;              ///< unless the caller asks for another one
    std::size_t work_items_per_compute_unit;  ///< in all groups of a compute unit
    std::size_t work_group_size_with_tickets; ///< the same two where groups take tiles by tickets
    std::size_t work_items_with_tickets;
    bool chunks; ///< true: a work-item reads neighboring float4; false: neighboring work-items do
};

inline ReductionTuning reduction_tuning(const cl::Device& device) {
    // 2-core Xeon, POCL 3.1, 2^25 floats, 2026-11: 25.3 GB/s in chunks. With other programs
    // running, 15.1 in chunks and 2.4 otherwise. Groups of 16, 64 and 256 differ by less than 10%.
    if ((device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0)
        return {64, 256, 64, 256, true};
    // NVIDIA, 2^28 floats, 2026-11, GB/s by the groups on each compute unit:
    //
    //             last group      tickets                              CUB
    //             6 of 512        2 of 512    1 of 1024    4 of 256    DeviceReduce
    //     H100    3103            3150        3144         3146        3047
    //     H200    4358            4296        4463         3996        4464
    const auto at_most = [&](std::size_t size) {
        while (size > device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>())
            size /= 2;
        return size;
    };
    return {at_most(512), 3072, at_most(1024), 1024, false};
}

/// A tile of lab 8: a work-group scans work_group_size * items elements.
struct ScanSizes {
    std::size_t work_group_size;
    std::size_t items; ///< elements of each work-item
};

/// The tile for a scan on `device`.
///
///     measured on                          tile         GB/s   other tiles
///     NVIDIA H200, 2^28 floats             512 x 32     3442   256 x 32: 3327, 256 x 64: 3547
///     NVIDIA H100, 2^28 floats             256 x 32     2927   256 x 64: 2939, 384 x 48: 2382
///     2 cores of a Xeon, POCL, 2^25        1 x 16384    17.1   1 x 4096: 15.4, 64 x 256: 14.8
///
/// A CPU runs the work-items of a group one after the other, so one work-item per group is best,
/// with a tile that stays in its cache. Any other device is treated as a GPU. There, the fast kernel of
/// lab 8 needs 32 items for each work-item, as a power of two of float4 that it keeps in registers.
inline ScanSizes scan_sizes(const cl::Device& device) {
    if ((device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0)
        return {1, 16384};
    const std::size_t limit = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    for (const std::size_t size : {512, 256, 128, 64}) {
        const std::size_t local_bytes = 12 * size * sizeof(cl_float);
        if (size <= limit && local_bytes <= device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>())
            return {size, 32};
    }
    return {1, 1024};
}
