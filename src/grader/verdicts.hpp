#pragma once

#include "grader/session.hpp"
#include "report/terminal.hpp"

#include <string>
#include <vector>

namespace grader {

/// All cases that were compiled in, in the order of their file. Until doctest reaches a case, it
/// counts as an error: a run that is cut short passes nothing.
std::vector<report::Case> declared_cases();

/// Whether the filters left out every case.
bool nothing_selected(const report::Result& result);

/// Where the running session's cases are shown as they end; null shows nothing.
void set_terminal(report::Terminal* instance);

} // namespace grader
