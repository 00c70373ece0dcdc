#pragma once

#include "wire/messages.hpp"

#include <string>
#include <vector>

namespace grader {

/// The sum of the counts of one kernel's launches in `work`; for the busiest work-item, the
/// maximum.
wire::WorkCounts total_work(const std::vector<wire::WorkCounts>& work, const std::string& kernel);

/// "additions 63, barriers 7, ...", for students.
std::string show_work(const wire::WorkCounts& work);

} // namespace grader
