#pragma once

#include "wire/messages.hpp"

#include <cstddef>
#include <vector>

namespace wire {

/// Memory that one buffer on the device is made of: the arguments' ranges that overlap, together.
struct Region {
    ByteRange bytes;
    bool read_only = true; ///< kernels may write to none of those arguments

    std::size_t end() const { return bytes.offset + bytes.size; }
};

/// The regions of a launch's buffers, by where they begin.
std::vector<Region> regions_of(const KernelLaunch& launch);

} // namespace wire
