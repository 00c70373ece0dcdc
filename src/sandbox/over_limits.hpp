#pragma once

#include "sandbox/cell.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>
#include <system_error>

namespace sandbox {

/// What the processes of a program use together although they must not.
struct Excess {
    enum class What {
        processes,
        too_much_to_look_at, ///< threads, open files and mappings
        memory,
        unknown_sizes, ///< removed files that are still mapped
        unreadable_folder,
        files
    };
    What what = What::memory;
    std::size_t used = 0; ///< bytes or a number
    std::size_t limit = 0;
    std::error_code error = {}; ///< why a folder cannot be read
};

/// Returns why the processes below `top` have to be stopped: together they use more memory than the
/// cell allows, or its writable folders contain more. Nothing if they are within the limits. Memory
/// that the kernel does not show (pipes, sockets) does not count.
std::optional<Excess> over_limits(pid_t top, const Cell& cell);

/// Returns an excess as a sentence about the program, "it holds ...".
std::string describe(const Excess& excess);

} // namespace sandbox
