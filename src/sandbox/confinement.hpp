#pragma once

#include "sandbox/landlock.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sandbox {

/// The restrictions that a process sets up before it becomes the program that it confines.
struct Confinement {
    enum class Landlock { required, if_possible, no };

    std::optional<uid_t> user; ///< to become, as user and as group
    std::vector<gid_t> groups; ///< further groups, if there is a `user`
    bool die_with_parent = false;
    std::string directory = "/";          ///< the working directory
    std::vector<std::string> environment; ///< all variables: NAME=VALUE
    Landlock landlock = Landlock::if_possible;
    FileAccess files;
    bool socket_pairs = false; ///< allows sockets that are connected only to each other

    // Limits that the kernel enforces for each process; `processes` is for the user.
    std::optional<std::uint64_t> cpu_seconds;
    std::optional<std::uint64_t> memory;        ///< private bytes that were written
    std::optional<std::uint64_t> address_space; ///< bytes; a GPU's driver needs terabytes
    std::optional<std::uint64_t> processes;     ///< and threads
    std::optional<std::uint64_t> file_size;
    std::optional<std::uint64_t> open_files;
};

/// The exit status if a restriction cannot be set up; wire::cannot_execute if the program cannot
/// start.
constexpr int cannot_confine = 125;

/// Replaces this process by `command`, a path and arguments, confined. Descriptors 0 to 4 stay
/// open. Throws an exception if a restriction cannot be set up. If the program cannot start,
/// reports that and returns the exit status for it.
int become(const Confinement& confinement, const std::vector<std::string>& command);

/// Replaces this process by `command` with only `environment`. If that fails, reports it and
/// returns the exit status for it.
int execute(const std::vector<std::string>& command, const std::vector<std::string>& environment);

} // namespace sandbox
