#pragma once

#include "runner/kernel_arguments.hpp"
#include "runner/lab.hpp"
#include "wire/handles.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <vector>

namespace runner {

/// The memory of a launch that is sent to an interpreter and back. Buffers overlap in the memory
/// file if and only if they overlap on the device.
class LaunchMemory {
  public:
    explicit LaunchMemory(cl_command_queue queue) : queue_(queue) {}

    /// Adds the next argument, in order; `buffer` is the buffer that it names, or null. Throws
    /// cl::Error.
    void add(const KernelArgument& argument, cl_mem buffer);
    /// Returns the arguments as they lie in the memory file. Call it once, after all arguments were
    /// added.
    std::vector<wire::LaunchArgument> arrange();
    std::size_t size() const { return size_; }
    /// Creates a memory file with the values of all arguments. Throws cl::Error.
    wire::UniqueFd write_out() const;
    /// Copies the file's buffers back. A read-only buffer is only written if the launch has changed
    /// it, because its memory can be memory of the host that must not be written. Throws cl::Error.
    void read_back(const wire::UniqueFd& file) const;

  private:
    struct Part {
        KernelArgument argument;
        cl_mem buffer = nullptr; ///< null: not a buffer
        bool read_only = false;  ///< for kernels
        bool write_only = false; ///< likewise
        cl_mem root = nullptr;   ///< the buffer that `buffer` is part of, or `buffer`
        std::size_t origin = 0;  ///< in the root, bytes
        std::size_t size = 0;
        std::size_t offset = 0; ///< in the file
    };

    void read(const Part& part, std::byte* place) const;
    bool holds(const Part& part, const std::byte* bytes) const;

    cl_command_queue queue_;
    std::vector<Part> parts_;
    std::size_t size_ = 0;
};

} // namespace runner
