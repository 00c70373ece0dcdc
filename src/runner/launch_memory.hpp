#pragma once

#include "runner/lab.hpp"
#include "wire/handles.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <vector>

namespace runner {

/// What a kernel's parameter was set to.
struct KernelArgument {
    std::size_t size = 0;         ///< bytes
    bool local = false;           ///< that much local memory
    std::vector<std::byte> value; ///< otherwise
};

/// The memory that a launch works on, on its way to an interpreter and back. Buffers that overlap
/// on the device do so in the memory file, and others do not.
class LaunchMemory {
  public:
    explicit LaunchMemory(cl_command_queue queue) : queue_(queue) {}

    /// Takes in the next argument, in order; `buffer` is what it names, or null. Throws cl::Error.
    void add(const KernelArgument& argument, cl_mem buffer);
    /// The arguments as they lie in the memory file; called once all are in.
    std::vector<wire::LaunchArgument> arrange();
    std::size_t size() const { return size_; }
    /// A memory file with the values of all arguments. Throws cl::Error.
    wire::UniqueFd write_out() const;
    /// Takes over what the file's buffers hold by now. Nobody writes to one that is read-only unless a
    /// launch did: behind it may be memory of the host's that is not to be written to. Throws
    /// cl::Error.
    void read_back(const wire::UniqueFd& file) const;

  private:
    struct Part {
        KernelArgument argument;
        cl_mem buffer = nullptr; ///< null: no buffer
        bool read_only = false;  ///< for kernels
        bool write_only = false; ///< likewise
        cl_mem root = nullptr;   ///< the buffer that it is part of, or itself
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
