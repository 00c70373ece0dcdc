#pragma once

#include "sandbox/processes.hpp"
#include "wire/handles.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace sandbox {

/// What stands between a program and the machine.
enum class Protection {
    bubblewrap, ///< namespaces: it sees neither files nor processes nor networks of others
    user,       ///< a user of its own, and Landlock: it sees more, but may touch nothing
    none        ///< limits only
};

/// "bubblewrap", "user" or "none".
std::string name_of(Protection protection);

/// The protection of that name. Throws std::runtime_error for any other.
Protection protection_named(const std::string& name);

/// How much a program may use. The kernel sees to most of it at once; to what it does not count for
/// a program as a whole (memory of all processes, files of all folders), over_limits() does.
struct Limits {
    int cpu_seconds = 600;                           ///< for each process
    std::size_t memory_bytes = std::size_t{4} << 30; ///< for each process, and for all together
    int processes = 512;                             ///< and threads, of all together
    std::size_t file_bytes = std::size_t{256} << 20; ///< for each file
    int open_files = 256;                            ///< for each process
    std::size_t disk_bytes = std::size_t{512} << 20; ///< all that lies in writable folders
};

/// What one program gets; all paths are absolute. Where one folder lies in another, the inner one
/// counts for what is below it.
struct Cell {
    std::vector<std::string> readable; ///< files and folders, to read and execute; for everybody's
                                       ///< eyes, as the program may run as a user of its own
    std::vector<std::string> writable; ///< folders that are there, handed over before
    std::vector<std::string> hidden;   ///< must not be seen although they lie in something readable
    std::string directory = "/";       ///< to work in
    std::vector<std::pair<std::string, std::string>> environment; ///< all of it
    /// With the device files of GPUs and with pairs of sockets, without a limit of address space.
    bool gpu = false;
    Limits limits;
};

/// A way to run programs of somebody unknown so that they can hurt nobody.
class Sandbox {
  public:
    /// Finds out what works here by trying it. `confine` is the path of that program; `wanted` the
    /// only protection that will do, if it is not the best one that works. Throws std::runtime_error
    /// where nothing works: what was tried, why not, and what to do.
    static Sandbox choose(const std::string& confine, std::optional<Protection> wanted);

    Protection protection() const { return protection_; }

    /// For people: "bubblewrap", "bubblewrap, as user 63000", "user 63000", "none".
    std::string describe() const;

    /// The command that runs `program`, a path and arguments, in `cell`: what to execute. It ends
    /// as the program ends, or as SIGTERM, SIGINT or SIGHUP or its parent's end make it; not
    /// before all of the program's processes are gone. (SIGKILL would leave it no time for that.)
    /// Descriptors 0 to 4 are handed through. Exit status 125: it could not be confined; 127: not
    /// be started; standard error says why. With Protection::user only one program may run at a
    /// time: its end ends all that runs as that user.
    /// Throws std::runtime_error for a cell that cannot be had.
    std::vector<std::string> command(const Cell& cell,
                                     const std::vector<std::string>& program) const;

    /// Makes a folder, with all that is in it, the property of whoever programs run as.
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
    std::optional<uid_t> user_;  ///< whom programs run as, if not as ourselves
    wire::UniqueFd reservation_; ///< of that user
};

/// Why what runs below `top` has to be stopped: all of it together has more memory than the cell
/// allows, or its writable folders hold more. "" if all is well. Of memory that the kernel shows to
/// nobody (pipes, sockets) nothing is known.
std::string over_limits(pid_t top, const Cell& cell);

} // namespace sandbox
