#pragma once

#include "runner/lab.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace runner {

/// Why a launch is impossible.
struct Refusal {
    cl_int error = CL_SUCCESS;
    std::string why; ///< for the student
};

// A device can be made to look like another one.

/// Replaces what clGetDeviceInfo has written to `value` by what the limits say.
void limit_device_info(const wire::Limits& limits, cl_device_info name, void* value);

/// The same for clGetKernelWorkGroupInfo.
void lower_work_group_info(const wire::Limits& limits, cl_kernel_work_group_info name, void* value);

/// Returns why a device with these limits cannot run `launch`; nothing if it can.
std::optional<Refusal> refusal_by(const wire::Limits& limits, const wire::Launch& launch);

} // namespace runner
