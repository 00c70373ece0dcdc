#pragma once

#include "runner/lab.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <string>

namespace runner {

/// The arguments of clEnqueueNDRangeKernel.
struct NdRange {
    cl_command_queue queue = nullptr;
    cl_kernel kernel = nullptr;
    cl_uint dimensions = 0;
    const std::size_t* offset = nullptr;
    const std::size_t* global = nullptr;
    const std::size_t* local = nullptr;
    cl_uint wait_count = 0;
    const cl_event* wait_list = nullptr;
    cl_event* event = nullptr; ///< where the host wants its event; null: nowhere
};

/// Calls OpenCL's own clEnqueueNDRangeKernel.
cl_int enqueue(const NdRange& range);

/// Returns the kernel's name, or "an invalid kernel".
std::string kernel_name(cl_kernel kernel);

/// Returns the launch that the host asks for, without local memory and time.
wire::Launch launch_of(const NdRange& range);

/// Whether the global size is a multiple of the work-group size, or that is left to OpenCL.
bool has_even_groups(const wire::Launch& launch);

} // namespace runner
