#include "runner/device_limits.hpp"

#include <algorithm>
#include <cstring>

namespace runner {
namespace {

template <class T> void lower(void* value, std::size_t limit) {
    if (value == nullptr || limit == 0)
        return;
    T reported = 0;
    std::memcpy(&reported, value, sizeof reported);
    reported = std::min(reported, static_cast<T>(limit));
    std::memcpy(value, &reported, sizeof reported);
}

cl_device_type other_type(cl_device_type type) {
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
}

} // namespace

void limit_device_info(const wire::Limits& limits, cl_device_info name, void* value) {
    if (name == CL_DEVICE_MAX_WORK_GROUP_SIZE)
        lower<std::size_t>(value, limits.max_work_group_size);
    else if (name == CL_DEVICE_LOCAL_MEM_SIZE)
        lower<cl_ulong>(value, limits.local_memory);
    else if (name == CL_DEVICE_TYPE && value != nullptr && limits.other_type)
        *static_cast<cl_device_type*>(value) = other_type(*static_cast<cl_device_type*>(value));
    else if (name == CL_DEVICE_MAX_COMPUTE_UNITS && value != nullptr && limits.compute_units != 0)
        *static_cast<cl_uint*>(value) = static_cast<cl_uint>(limits.compute_units);
}

void lower_work_group_info(const wire::Limits& limits, cl_kernel_work_group_info name,
                           void* value) {
    if (name != CL_KERNEL_WORK_GROUP_SIZE)
        return;
    lower<std::size_t>(value, limits.max_work_group_size);
    lower<std::size_t>(value, limits.kernel_work_group_size);
}

std::optional<wire::FailedCall> refusal_by(const wire::Limits& limits, const wire::Launch& launch) {
    using Reason = wire::FailedCall::Reason;
    const std::size_t items = wire::volume(launch.work_group_size);
    for (const std::size_t limit : {limits.max_work_group_size, limits.kernel_work_group_size}) {
        if (limit != 0 && items > limit)
            return wire::FailedCall{
                .code = CL_INVALID_WORK_GROUP_SIZE, .reason = Reason::large_group, .limit = limit};
    }
    if (limits.local_memory != 0 && launch.local_memory > limits.local_memory)
        return wire::FailedCall{.code = CL_OUT_OF_RESOURCES,
                                .reason = Reason::local_memory,
                                .limit = limits.local_memory};
    return std::nullopt;
}

} // namespace runner
