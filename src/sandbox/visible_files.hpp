#pragma once

#include "sandbox/cell.hpp"

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sandbox {

/// The folders of programs and their libraries.
constexpr std::array system_folders{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};

/// Returns the path without symbolic links; unchanged if it does not exist.
std::filesystem::path resolve(const std::string& path);

/// Whether `one` is `folder` or lies in it.
bool lies_in(const std::filesystem::path& one, const std::filesystem::path& folder);

/// Returns the device files and folders of the GPUs.
std::vector<std::string> gpu_devices();

/// Returns the groups whose members alone can use the GPUs.
std::set<gid_t> gpu_groups();

/// Returns everything outside the cell's own folders that its program can read.
std::vector<std::string> shared_readable(const Cell& cell);

/// Returns the hidden paths below `folder`, as paths in `folder`.
std::vector<std::filesystem::path> hidden_in(const std::string& folder, const Cell& cell);

/// Throws std::runtime_error for a cell that no protection can provide.
void refuse_bad_cells(const Cell& cell);

} // namespace sandbox
