#pragma once

#include <filesystem>
#include <system_error>

namespace sandbox {

/// Removes `path` and everything in it, even if a program has nested folders deeper than this
/// process can open files, or denied access to our folders. Removes links without following them.
/// Returns the error if something could not be removed.
std::error_code remove_tree(const std::filesystem::path& path);

} // namespace sandbox
