#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sandbox {

/// Runs one command and leaves nothing of it behind.
struct Supervision {
    /// Whose processes go when the command ends. Without one, and without `tree`, the command is
    /// bubblewrap, and its processes go with their namespace.
    std::optional<uid_t> user;
    /// All descendants go, one by one: where there is neither user nor namespace.
    bool tree = false;
    std::vector<std::string> command;
};

/// Runs the command until it ends, or until this process gets SIGTERM, SIGINT or SIGHUP or loses
/// its parent; then kills all that is left of it and waits until that is gone. Returns the command's
/// exit status, or dies by the signal that it died of. Throws std::system_error if it cannot start.
int supervise(const Supervision& supervision);

} // namespace sandbox
