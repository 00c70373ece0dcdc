#pragma once

#include "runner/command_order.hpp"
#include "wire/journal.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
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
    /// Frees the memory that is no longer mapped, and forgets what is mapped for writing.
    void end_call();

    /// `host` is mapped for writing; its unmap writes `use`.
    void note_writing(void* host, const Use& use);
    /// Returns what the unmap of `host` writes; nothing if it is not mapped for writing. From then
    /// on it is not.
    std::optional<Use> take_writing(void* host);
    /// Whether a part of the buffer is mapped for writing.
    bool is_mapped_for_writing(cl_mem buffer) const;

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

    mutable std::mutex mutex_;
    std::vector<Mapping> all_;
    std::map<void*, Use> written_; ///< by the host's address
};

} // namespace runner
