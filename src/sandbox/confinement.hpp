#pragma once

#include "sandbox/landlock.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sandbox {

/// What a process takes from itself before it becomes the program that it confines.
struct Confinement {
    enum class Landlock { required, if_possible, no };

    std::optional<uid_t> user; ///< to become, as user and as group
    std::vector<gid_t> groups; ///< to be in besides, where there is a `user`
    bool die_with_parent = false;
    std::string directory = "/";          ///< to work in
    std::vector<std::string> environment; ///< all of it: NAME=VALUE
    Landlock landlock = Landlock::if_possible;
    FileAccess files;
    bool socket_pairs = false; ///< sockets of its own, which have each other only

    // Limits that the kernel watches over, for each process; those of processes for the user.
    std::optional<std::uint64_t> cpu_seconds;
    std::optional<std::uint64_t> memory;        ///< bytes written to that nobody shares
    std::optional<std::uint64_t> address_space; ///< bytes; a GPU's driver needs terabytes
    std::optional<std::uint64_t> processes;     ///< and threads
    std::optional<std::uint64_t> file_size;
    std::optional<std::uint64_t> open_files;
};

/// Exit status where nothing could be started.
constexpr int cannot_confine = 125;
constexpr int cannot_execute = 127;

/// Replaces this process by `command`, a path and arguments, confined. Descriptors 0 to 4 stay open.
/// Throws an exception if something cannot be taken away; returns the exit status for a program that
/// cannot be started, having said so.
int become(const Confinement& confinement, const std::vector<std::string>& command);

/// Replaces this process by `command` with nothing but `environment`. Where that fails, it says so
/// and returns the exit status for that.
int execute(const std::vector<std::string>& command, const std::vector<std::string>& environment);

} // namespace sandbox
