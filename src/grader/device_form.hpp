#pragma once

#include "wire/messages.hpp"

#include <string>

namespace grader {

/// Whether `device` is POCL. 3.1 and 5.0 compile a loop with a barrier in it wrongly when its bound is
/// get_local_size() itself, as the bound has to be seen to be the same for all work-items (pocl issue
/// 1390).
bool miscompiles_loop_bounds(const wire::DeviceInfo& device);

/// The first line of `source` with such a loop; 0 if there is none.
int find_loop_bound(const std::string& source);

/// `source` as such a device compiles it right: get_local_size() is called once where a function
/// begins, and its value used. Every line stays where it is. What is no function by the look of it
/// may not compile afterwards.
std::string hoist_local_sizes(const std::string& source);

/// `source` for a POCL from 4.0 on: built from Debian's and Ubuntu's packages of it, a kernel that calls
/// wait_group_events() cannot be loaded, as that function is missing. POCL's own is a barrier, and so
/// is what stands in for it here. Every line keeps its number.
std::string replace_wait_group_events(const std::string& source);

/// `source` in a form that `device` compiles rightly.
std::string device_form(const wire::DeviceInfo& device, const std::string& source);

} // namespace grader
