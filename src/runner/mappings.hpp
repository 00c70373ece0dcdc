#pragma once

#include "wire/journal.hpp"

#include <cstddef>
#include <mutex>
#include <vector>

namespace runner {

/// The memory that the host gets for its mappings. Each mapping has its own pages: using them after
/// the unmap, or writing to a mapping for reading, crashes instead of going unnoticed on devices
/// that share the host's memory.
class Mappings {
  public:
    /// Returns host memory for `size` bytes that OpenCL has mapped at `device`, with the same
    /// contents; `device` itself if there is no memory left.
    std::byte* add(std::byte* device, std::size_t size, bool writable);
    /// Copies `bytes` into a mapping, or into any other memory.
    void put(std::byte* host, const std::vector<std::byte>& bytes);
    /// Unmaps `host` and copies what the host has written. Returns the address at which OpenCL has
    /// mapped it, or `host` itself if it is not a mapping. `host` must not be used any more.
    std::byte* remove(std::byte* host);
    /// Frees the memory that is no longer mapped.
    void forget_unmapped();

    /// Returns the host's mistake if it crashes at `address`. For a signal handler.
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
