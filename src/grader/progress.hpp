#pragma once

#include "report/result.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace grader {

/// Whether every case of `result` was selected and ended.
bool is_whole(const report::Result& result);

/// Writes the points of a whole run into `file`, for make progress, or the passed cases of a lab
/// without points. The file gets the time `start` of that run, so that files that were changed since
/// are newer. Does nothing if the file cannot be written.
void write_progress(const report::Result& result, std::filesystem::file_time_type start,
                    const std::string& file);

/// The lab in `root` that comes after `lab`, as its handout describes it; nothing after the last.
std::optional<report::NextLab> lab_after(const std::string& root, const std::string& lab);

} // namespace grader
