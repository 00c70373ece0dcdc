#pragma once

#include "wire/journal.hpp"

#include <cstddef>
#include <mutex>
#include <vector>

namespace runner {

/// Memory in which the host gets what it has mapped. Each mapping has pages of its own: to use them
/// after the unmap, or to write to what is mapped for reading, crashes instead of going well on
/// devices that share the host's memory.
class Mappings {
  public:
    /// The host's memory for `size` bytes that OpenCL has mapped at `device`; holds the same bytes.
    /// `device` itself where there is none left.
    std::byte* add(std::byte* device, std::size_t size, bool writable);
    /// Puts `bytes` into a mapping, or into any other memory.
    void put(std::byte* host, const std::vector<std::byte>& bytes);
    /// Where OpenCL has mapped what the host has at `host`; what the host has written is there, and
    /// `host` is not to be used any more. `host` itself where it is no mapping.
    std::byte* remove(std::byte* host);
    /// Gives the memory back that is not mapped any more.
    void forget_unmapped();

    /// What a host does wrong that crashes at `address`. For a signal handler.
    wire::MappingMisuse misuse_at(const void* address) const;

  private:
    struct Mapping {
        std::byte* host = nullptr;
        std::byte* device = nullptr;
        std::size_t size = 0;
        bool writable = false;
        bool mapped = true;
    };
    Mapping* find(const std::byte* host);

    std::mutex mutex_;
    std::vector<Mapping> all_;
};

} // namespace runner
