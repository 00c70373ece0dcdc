#pragma once

#include "runner/device_limits.hpp"
#include "runner/kernel_arguments.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace runner {

/// Whether all pages of the host's memory exist.
bool is_mapped(std::span<const std::byte> bytes);

/// Watches memory of the host that the device may still read, in one call of student code.
/// Thread-safe.
class HostMemory {
  public:
    /// Forgets everything.
    void clear();

    /// The host got an input of the call, which lies at `bytes`.
    void on_input(std::span<const std::byte> bytes);
    /// Returns why the host cannot copy `size` bytes from `data`: an input ends before.
    std::optional<wire::FailedCall> refusal_of_source(const void* data, std::size_t size) const;

    /// A write from `source` that does not block has been enqueued. Call what is returned when the
    /// host has waited for the write.
    std::function<void()> on_write(std::span<const std::byte> source);
    /// A read into `target` begins, which comes after all writes so far.
    void on_read(std::span<const std::byte> target);
    /// Whether the host changed or freed a source before it waited for the write.
    bool changed_source() const { return changed_source_; }
    /// Where the host made that write, or the buffer of changed_buffer_memory(), innermost first.
    std::vector<std::uint64_t> frames_of_changed() const;

    /// The buffer was created with CL_MEM_USE_HOST_PTR and the memory at `bytes`.
    void on_create(cl_mem buffer, std::span<const std::byte> bytes);
    /// The host fills the buffer in another way.
    void on_fill(cl_mem buffer);
    /// A launch has these arguments. Until its first launch, a buffer's host memory must stay as it
    /// was when the buffer was created.
    void on_launch(const std::vector<SetArgument>& arguments);
    /// Whether some of that memory did not.
    bool changed_buffer_memory() const { return changed_buffer_memory_; }

  private:
    /// Memory of the host that must stay as it is now.
    class Memory {
      public:
        explicit Memory(std::span<const std::byte> bytes);
        /// Whether it holds other bytes, or no longer exists.
        bool has_changed() const;
        bool overlaps(std::span<const std::byte> bytes) const;
        /// From now on, it may change.
        void release() { bytes_ = {}; }
        /// Where the host has passed it to OpenCL.
        const std::vector<std::uint64_t>& frames() const { return frames_; }

      private:
        std::span<const std::byte> bytes_;
        std::size_t hash_;
        std::vector<std::uint64_t> frames_;
    };

    mutable std::mutex mutex_;
    std::vector<std::span<const std::byte>> inputs_;
    std::vector<std::shared_ptr<Memory>> sources_;
    void note_change(const Memory& memory, std::atomic<bool>& changed);

    std::map<cl_mem, Memory> of_buffers_;
    std::atomic<bool> changed_source_{false};
    std::atomic<bool> changed_buffer_memory_{false};
    std::vector<std::uint64_t> frames_of_changed_;
};

} // namespace runner
