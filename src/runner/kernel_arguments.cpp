#include "runner/kernel_arguments.hpp"

#include "runner/real_calls.hpp"

#include <cstring>

namespace runner {
namespace {

/// Returns the buffer whose handle an argument can be; null if it cannot be one.
cl_mem handle_in(const KernelArgument& argument) {
    cl_mem buffer = nullptr;
    if (argument.value.size() == sizeof(cl_mem)) // NOLINT(bugprone-sizeof-expression): a handle
        std::memcpy(&buffer, argument.value.data(), argument.value.size());
    return buffer;
}

} // namespace

void KernelArguments::forget(cl_kernel kernel) {
    const std::lock_guard lock(mutex_);
    arguments_.erase(kernel);
}

void KernelArguments::set(cl_kernel kernel, cl_uint index, std::size_t size, const void* value) {
    KernelArgument argument{size, value == nullptr, {}};
    if (value != nullptr) {
        const auto* bytes = static_cast<const std::byte*>(value);
        argument.value.assign(bytes, bytes + size);
    }
    const std::lock_guard lock(mutex_);
    arguments_[kernel][index] = std::move(argument);
}

void KernelArguments::know(cl_mem buffer) {
    KnownBuffer known;
    REAL_CALL(clGetMemObjectInfo)(buffer, CL_MEM_FLAGS, sizeof known.flags, &known.flags, nullptr);
    REAL_CALL(clGetMemObjectInfo)(buffer, CL_MEM_SIZE, sizeof known.size, &known.size, nullptr);
    const std::lock_guard lock(mutex_);
    buffers_[buffer] = known;
}

std::vector<SetArgument> KernelArguments::of(cl_kernel kernel) const {
    std::vector<SetArgument> all;
    const std::lock_guard lock(mutex_);
    const auto arguments = arguments_.find(kernel);
    if (arguments == arguments_.end())
        return all;
    for (const auto& [index, argument] : arguments->second) {
        SetArgument one{index, argument, nullptr, {}};
        // OpenCL distinguishes buffers from values only by the kernel's source, so any value that
        // is a buffer's handle counts as a buffer.
        const auto known = buffers_.find(handle_in(argument));
        if (known != buffers_.end()) {
            one.buffer = known->first;
            one.known = known->second;
        }
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace runner
