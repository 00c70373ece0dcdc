#pragma once

#include "runner/lab.hpp"
#include "wire/messages.hpp"

#include <string>
#include <vector>

namespace runner {

/// Returns all devices of all platforms, in the loader's order; an empty list if there is no
/// platform.
std::vector<cl::Device> find_devices();

wire::DeviceInfo describe(const cl::Device& device);

/// Returns the source lines to put before every program for this device.
std::string prelude(const cl::Device& device);

/// Returns the device to use if the student names none: a GPU before an accelerator before a CPU,
/// and a simulator only if there is nothing else. Throws std::runtime_error for an empty list.
int best_device(const std::vector<wire::DeviceInfo>& devices);

} // namespace runner
