#pragma once

#include <string>
#include <vector>

namespace sandbox {

/// The part of the file system that a process can still use; everything else is denied.
struct FileAccess {
    std::vector<std::string> readable; ///< files and folders to read and execute
    std::vector<std::string> writable; ///< folders in which everything is allowed
    std::vector<std::string> devices; ///< device files, or folders of them, to read, write, control
};

/// Returns the version of the kernel's Landlock; 0 if there is none, or this process cannot use it.
int landlock_version();

/// Restricts this process and all that it starts to `access`. Skips paths that do not exist. Also
/// denies access to outside processes and TCP ports, as far as the kernel's Landlock supports that.
/// Throws std::system_error.
void restrict_to(const FileAccess& access);

} // namespace sandbox
