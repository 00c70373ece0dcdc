#pragma once

#include "grader/kernel_file.hpp"
#include "wire/messages.hpp"

#include <string>

namespace grader {

/// What to say of a device that goes wrong with kernels that labgrind finds right: with the cause,
/// where it is a known mistake of that device.
std::string explain_disagreement(const wire::DeviceInfo& device, const KernelFile& kernels);

/// The first line of `source` that has a loop whose condition asks for get_local_size(); 0 if none has.
int find_loop_bound(const std::string& source);

} // namespace grader
