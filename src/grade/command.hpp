#pragma once

#include "sandbox/sandbox.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace grade {

/// A command to run to its end.
struct Command {
    std::vector<std::string> arguments; ///< the program first
    std::string directory = ".";
    double seconds = 60; ///< wall time, after which it is ended
    /// What `arguments` keep a program in, if they do: it is ended when it is over its limits.
    std::optional<sandbox::Cell> cell;
    /// What its environment has besides ours.
    std::vector<std::pair<std::string, std::string>> environment;
    /// Called again and again until it has ended, and once more then. What it throws ends the command.
    std::function<void()> watch = {};
};

/// How a command ended and what it printed, both streams.
struct Outcome {
    int status = 0;     ///< exit status; 128 + signal if it died of one
    std::string ended;  ///< why it was ended before its end; "" if it was not
    std::string output; ///< the first part of it, if it was very much

    bool succeeded() const { return status == 0 && ended.empty(); }
};

/// Runs `command`. Nothing of it is left afterwards, nor when this process dies. Throws
/// std::system_error when it cannot be started, and what its `watch` throws.
Outcome run(const Command& command);

} // namespace grade
