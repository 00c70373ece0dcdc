#pragma once

#include "labgrind/analyses/contention.hpp"

#include <cstdint>
#include <limits>

namespace labgrind {

/// How a launch runs.
struct RunOptions {
    Contention contention = {};    ///< which work-items are late
    bool last_group_first = false; ///< the groups run in the opposite order
    bool atomics_acquire = false;  ///< a fence comes after every atomic operation or volatile load
    bool atomics_release = false;  ///< a fence comes before every atomic operation
    bool last_item_first = false;  ///< the work-items of a group run in the opposite order
    /// After so many instructions, the launch ends with vm::Stuck.
    std::uint64_t most_instructions = std::numeric_limits<std::uint64_t>::max();
};

} // namespace labgrind
