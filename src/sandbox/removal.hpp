#pragma once

#include <filesystem>
#include <system_error>

namespace sandbox {

/// Removes `path` and all that is in it, as a program may have left it: nested deeper than this
/// process may open files, or in folders of ours that nobody may enter. Links are removed, and not
/// followed. The error of what could not be removed, where something is left.
std::error_code remove_tree(const std::filesystem::path& path);

} // namespace sandbox
