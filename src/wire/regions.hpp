#pragma once

#include "wire/messages.hpp"

#include <cstddef>
#include <vector>

namespace wire {

/// The memory of one buffer on the device: the union of arguments' ranges that overlap.
struct Region {
    ByteRange bytes;
    bool read_only = true; ///< kernels must not write to any of these arguments

    std::size_t end() const { return bytes.offset + bytes.size; }
};

/// Returns the regions of a launch's buffers, sorted by their beginnings.
std::vector<Region> regions_of(const KernelLaunch& launch);

} // namespace wire
