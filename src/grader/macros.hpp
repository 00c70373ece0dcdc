#pragma once

#include "grader/kernel_file.hpp"

#include <vector>

namespace grader {

/// Macros that lack parentheses, so that one of their uses means something else than it seems to: the
/// line of the definition, and what the use becomes. Each macro once.
std::vector<KernelFile::Place> macros_without_parentheses(const KernelFile& file);

} // namespace grader
