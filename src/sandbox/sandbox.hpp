#pragma once

#include "sandbox/cell.hpp"
#include "wire/handles.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sandbox {

/// Returns "bubblewrap", "user" or "none".
std::string name_of(Protection protection);

/// Returns the protection of that name. Throws std::runtime_error for other names.
Protection protection_named(const std::string& name);

/// Runs untrusted programs so that they can do no harm.
class Sandbox {
  public:
    /// Finds a protection that works here by trying it: `wanted`, or the best one that works.
    /// `confine` is the path of that program. Throws std::runtime_error if nothing works: what was
    /// tried, why it failed, and what to do.
    static Sandbox choose(const std::string& confine, std::optional<Protection> wanted);

    Protection protection() const { return protection_; }

    /// A readable description: "bubblewrap", "bubblewrap, as user 63000", "user 63000", "none".
    std::string describe() const;

    /// Returns the command to execute that runs `program`, a path and arguments, in `cell`. The
    /// command ends with the program, with its parent, or by SIGTERM, SIGINT or SIGHUP, but not
    /// before all of the program's processes have ended. (SIGKILL would leave it no time for that.)
    /// Descriptors 0 to 4 are passed on. Exit status 125: the program could not be confined; 127:
    /// it could not start; standard error says why. With Protection::user only one program may run
    /// at a time: when it ends, all processes of that user are killed. Throws std::runtime_error
    /// for an impossible cell.
    std::vector<std::string> command(const Cell& cell,
                                     const std::vector<std::string>& program) const;

    /// Gives a folder and everything in it to the user that programs run as.
    void hand_over(const std::string& folder) const;

  private:
    Sandbox(std::string confine, Protection protection);

    std::string why_not() const;
    std::vector<std::string> supervisor(const Cell& cell) const;

    std::string confine_;
    Protection protection_;
    std::string bubblewrap_;     ///< its path
    std::optional<uid_t> user_;  ///< that programs run as, if not as our user
    wire::UniqueFd reservation_; ///< of that user
};

} // namespace sandbox
