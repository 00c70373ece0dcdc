#pragma once

#include "wire/handles.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace sandbox {

/// The kinds of sandbox.
enum class Protection {
    bubblewrap, ///< namespaces: a program sees no files, processes or networks of others
    user,       ///< a separate user, and Landlock: a program sees more, but cannot access it
    none        ///< limits only
};

/// Returns "bubblewrap", "user" or "none".
std::string name_of(Protection protection);

/// Returns the protection of that name. Throws std::runtime_error for other names.
Protection protection_named(const std::string& name);

/// How much a program can use. The kernel enforces most limits at once; over_limits() checks what
/// the kernel does not count for a program as a whole (memory of all processes, files of all
/// folders).
struct Limits {
    int cpu_seconds = 600;                           ///< for each process
    std::size_t memory_bytes = std::size_t{4} << 30; ///< for each process, and for all together
    int processes = 512;                             ///< and threads, of all together
    std::size_t file_bytes = std::size_t{256} << 20; ///< for each file
    int open_files = 256;                            ///< for each process
    std::size_t disk_bytes = std::size_t{512} << 20; ///< all that lies in writable folders
};

/// What one program gets; all paths are absolute. If one folder lies in another, the inner one
/// decides for everything below it.
struct Cell {
    /// Files and folders to read and execute. All users must be able to read them, because the
    /// program can run as another user.
    std::vector<std::string> readable;
    std::vector<std::string> writable; ///< folders that exist, handed over before
    std::vector<std::string> hidden;   ///< invisible although they lie in something readable
    std::string directory = "/";       ///< the working directory
    std::vector<std::pair<std::string, std::string>> environment; ///< all variables
    /// With the GPUs' device files and with socket pairs, without a limit of address space.
    bool gpu = false;
    Limits limits;
};

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
    std::vector<std::string> bubblewrap(const Cell& cell) const;
    std::vector<std::string> confinement(const Cell& cell, const std::string& confine) const;

    std::string confine_;
    Protection protection_;
    std::string bubblewrap_;     ///< its path
    std::optional<uid_t> user_;  ///< that programs run as, if not as our user
    wire::UniqueFd reservation_; ///< of that user
};

/// Returns why the processes below `top` have to be stopped: together they use more memory than the
/// cell allows, or its writable folders contain more. "" if they are within the limits. Memory that
/// the kernel does not show (pipes, sockets) does not count.
std::string over_limits(pid_t top, const Cell& cell);

} // namespace sandbox
