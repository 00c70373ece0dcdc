#pragma once

#include "wire/handles.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace wire {

/// The two ends of a pipe. A program that this process starts inherits neither of them.
struct PipeEnds {
    UniqueFd reader;
    UniqueFd writer;
};

/// Throws std::system_error.
PipeEnds create_pipe();

/// Instead of a descriptor: the null device.
constexpr int null_device = -1;

/// The exit status of a program that could not be executed.
constexpr int cannot_execute = 127;

/// A program to start, and what it gets. It starts with no signal blocked.
struct Program {
    std::vector<std::string> arguments; ///< its path first
    /// All of its variables, as NAME=VALUE; ours if not set.
    std::optional<std::vector<std::string>> environment = {};
    std::string directory = {}; ///< the working directory; "": ours
    /// Number N of the program is a copy of the N-th of these, or of ours if there are fewer than
    /// three. It gets no others, as all of ours close on exec.
    std::vector<int> descriptors = {};
    bool own_group = false; ///< it leads a process group of its own
    int death_signal = 0;   ///< the signal that it gets when this thread ends; 0: none
};

/// Starts `program` and returns its process, which has to be waited for. Throws std::system_error
/// if there can be no more processes. If the program cannot be executed, the process ends with
/// cannot_execute.
pid_t start(const Program& program);

/// Whether a child has ended; it can still be waited for.
bool has_ended(pid_t child);

/// Waits until a child ends and returns its status as waitpid does.
int wait_for(pid_t child);

/// Returns pointers to the texts, followed by a null, for exec, which changes none of the texts.
std::vector<char*> pointers_to(const std::vector<std::string>& texts);

} // namespace wire
