#pragma once

#include "grader/kernel_file.hpp"
#include "wire/messages.hpp"

#include <string>

namespace grader {

/// A known bug of the device that such kernels trigger, in words; "" for none.
std::string known_bug(const wire::DeviceInfo& device, const KernelFile& kernels);

/// The message for a device that gets kernels wrong, with the cause if it is a known bug. `is_right`:
/// labgrind gets the right result.
std::string explain_disagreement(const wire::DeviceInfo& device, const KernelFile& kernels,
                                 bool is_right = true);

/// The first line of `source` with a loop that contains a barrier and whose condition calls
/// get_local_size(); 0 if there is none.
int find_loop_bound(const std::string& source);

/// The first line of `source` with a loop that contains a barrier and has no condition; 0 if there is none.
int find_loop_without_condition(const std::string& source);

} // namespace grader
