#pragma once

#include "runner/lab.hpp"
#include "wire/messages.hpp"

#include <vector>

namespace runner {

/// All devices of all platforms, in the loader's order. No platform at all is an empty list.
std::vector<cl::Device> find_devices();

wire::DeviceInfo describe(const cl::Device& device);

/// The device to take when the student names none: a GPU before an accelerator before a CPU, and a
/// simulator only when there is nothing else. Throws std::runtime_error for an empty list.
int best_device(const std::vector<wire::DeviceInfo>& devices);

} // namespace runner
