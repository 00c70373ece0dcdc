#pragma once

#include "runner/lab.hpp"
#include "wire/journal.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <optional>

namespace runner {

// A device can be made to look like another one.

/// Replaces what clGetDeviceInfo has written to `value` by what the limits say.
void limit_device_info(const wire::Limits& limits, cl_device_info name, void* value);

/// The same for clGetKernelWorkGroupInfo.
void lower_work_group_info(const wire::Limits& limits, cl_kernel_work_group_info name, void* value);

/// How `launch` fails on a device with these limits; nothing if it does not.
std::optional<wire::FailedCall> refusal_by(const wire::Limits& limits, const wire::Launch& launch);

} // namespace runner
