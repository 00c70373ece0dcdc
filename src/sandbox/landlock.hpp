#pragma once

#include <string>
#include <vector>

namespace sandbox {

/// What of the file system a process may still use; everything else is denied to it.
struct FileAccess {
    std::vector<std::string> readable; ///< files and folders to read and execute
    std::vector<std::string> writable; ///< folders in which everything is allowed
    std::vector<std::string> devices; ///< device files, or folders of them, to read, write, control
};

/// The version of the kernel's Landlock; 0: it has none, or does not let this process use it.
int landlock_version();

/// Leaves this process and all that it starts nothing but `access`. Paths that are not there are
/// skipped. Neither can they touch processes or TCP ports outside any more, as far as the kernel's
/// Landlock knows of these. Throws std::system_error.
void restrict_to(const FileAccess& access);

} // namespace sandbox
