#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sandbox {

/// The kinds of sandbox.
enum class Protection {
    bubblewrap, ///< namespaces: a program sees no files, processes or networks of others
    user,       ///< a separate user, and Landlock: a program sees more, but cannot access it
    none        ///< limits only
};

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

} // namespace sandbox
