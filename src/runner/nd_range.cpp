#include "runner/nd_range.hpp"

#include "runner/real_calls.hpp"

#include <algorithm>
#include <cstring>

namespace runner {
cl_int enqueue(const NdRange& range) {
    return REAL_CALL(clEnqueueNDRangeKernel)(range.queue, range.kernel, range.dimensions,
                                             range.offset, range.global, range.local,
                                             range.wait_count, range.wait_list, range.event);
}

std::string kernel_name(cl_kernel kernel) {
    std::size_t size = 0;
    if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size) != CL_SUCCESS)
        return "an invalid kernel";
    std::string name(size, '\0');
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
    name.resize(std::strlen(name.c_str()));
    return name;
}

wire::Launch launch_of(const NdRange& range) {
    wire::Launch launch;
    launch.kernel = kernel_name(range.kernel);
    const cl_uint dimensions = std::min(range.dimensions, cl_uint{3});
    for (cl_uint i = 0; i < dimensions; ++i)
        launch.global_size[i] = range.global == nullptr ? 0 : range.global[i];
    if (range.offset != nullptr)
        std::copy_n(range.offset, dimensions, launch.global_offset.begin());
    if (range.local != nullptr) {
        launch.work_group_size = {1, 1, 1};
        std::copy_n(range.local, dimensions, launch.work_group_size.begin());
    }
    return launch;
}

bool has_even_groups(const wire::Launch& launch) {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t group = launch.work_group_size[i];
        if (group != 0 && launch.global_size[i] % group != 0)
            return false;
    }
    return true;
}

} // namespace runner
