#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sandbox {

/// Runs one command and leaves nothing of it behind.
struct Supervision {
    /// The user whose processes are killed when the command ends. Without one, and without `tree`,
    /// the command is bubblewrap, whose processes end with their namespace.
    std::optional<uid_t> user;
    /// Kill all descendants one by one, if there is neither a user nor a namespace.
    bool tree = false;
    std::vector<std::string> command;
};

/// Runs the command until it ends, or until this process gets SIGTERM, SIGINT or SIGHUP or loses
/// its parent. Then kills all remaining processes of it and waits until they have ended. Returns
/// the command's exit status, or dies of the same signal. Throws std::system_error if it cannot
/// start.
int supervise(const Supervision& supervision);

} // namespace sandbox
