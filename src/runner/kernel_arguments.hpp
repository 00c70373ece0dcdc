#pragma once

#include "runner/lab.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace runner {

/// The argument that a kernel's parameter was set to.
struct KernelArgument {
    std::size_t size = 0;         ///< bytes
    bool local = false;           ///< local memory of this size
    std::vector<std::byte> value; ///< if it is not local memory
};

/// What is known about a buffer of this process.
struct KnownBuffer {
    cl_mem_flags flags = 0;
    std::size_t size = 0;
};

/// An argument of a launch.
struct SetArgument {
    cl_uint index = 0;
    KernelArgument given;
    cl_mem buffer = nullptr; ///< the buffer that it names, or null
    KnownBuffer known;       ///< about that buffer

    /// Whether the kernel can write to the buffer.
    bool is_writable_buffer() const {
        return buffer != nullptr && (known.flags & CL_MEM_READ_ONLY) == 0;
    }
};

/// Remembers the values of kernels' arguments, because OpenCL has no function that returns them.
/// Thread-safe.
class KernelArguments {
  public:
    /// From now on the handle names a new kernel, without arguments.
    void forget(cl_kernel kernel);
    /// An argument was set; `value` is null for local memory.
    void set(cl_kernel kernel, cl_uint index, std::size_t size, const void* value);
    /// Stores the facts about a buffer that a launch needs: by then the host may have released it.
    void know(cl_mem buffer);
    /// Returns the arguments that were set, by index.
    std::vector<SetArgument> of(cl_kernel kernel) const;

  private:
    mutable std::mutex mutex_;
    std::map<cl_kernel, std::map<cl_uint, KernelArgument>> arguments_;
    std::map<cl_mem, KnownBuffer> buffers_; ///< all that this process created
};

} // namespace runner
