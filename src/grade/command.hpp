#pragma once

#include "sandbox/over_limits.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace grade {

/// A command to run until it ends.
struct Command {
    std::vector<std::string> arguments; ///< the program first
    std::string directory = ".";
    double seconds = 60; ///< wall time after which it is stopped
    /// The sandbox that `arguments` run a program in, if any: the command ends when it exceeds its
    /// limits.
    std::optional<sandbox::Cell> cell;
    /// Variables to add to our environment.
    std::vector<std::pair<std::string, std::string>> environment;
    /// Called again and again until the command has ended, and then once more. An exception from it
    /// ends the command.
    std::function<void()> watch = {};
};

/// How a command ended and what it printed to both streams.
struct Outcome {
    int status = 0;     ///< exit status; 128 + signal if a signal ended it
    std::string ended;  ///< why it was stopped; "" if it ended by itself
    std::string output; ///< only the beginning if it is very long

    bool succeeded() const { return status == 0 && ended.empty(); }
};

/// Runs `command`. Leaves no process of it, even if this process dies. Throws std::system_error if
/// the command cannot start, and whatever its `watch` throws.
Outcome run(const Command& command);

/// Returns why a grader did not end with a result, from its output.
std::string why_without_result(const Outcome& outcome);

} // namespace grade
