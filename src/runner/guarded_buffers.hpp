#pragma once

#include "runner/lab.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace runner {

/// A buffer that the host wants to create.
struct NewBuffer {
    cl_mem_flags flags = 0;   ///< as the host gives them
    cl_mem_flags allowed = 0; ///< those that it gets
    std::size_t size = 0;
    const void* host = nullptr;
};

/// Buffers with a guard zone on either side. Thread-safe.
class GuardedBuffers {
  public:
    /// Begins a call. The guard zones and the contents of buffers consist of `word`, also those of buffers
    /// that the host keeps from an earlier call: in a sealed call they have lost their contents, too.
    /// Throws cl::Error.
    void begin(std::uint32_t word);
    /// Forgets the buffers that the host has released.
    void forget_released();

    /// Whether such a buffer can have guard zones.
    static bool can_guard(const NewBuffer& wanted);

    struct Created {
        cl_mem buffer = nullptr;
        cl_mem whole = nullptr; ///< the same with its guard zones
        cl_int error = CL_SUCCESS;
    };
    Created create(cl_context context, const NewBuffer& wanted);

    /// A part of a guarded buffer, which is a part of another buffer itself.
    struct Part {
        cl_mem whole = nullptr;
        cl_mem_flags flags = 0;
        cl_buffer_region region{};
    };
    /// Returns the part that this region is; nothing if the buffer has no guard zones or the region
    /// does not lie in it. From then on the buffer can be written through its part.
    std::optional<Part> part_of(cl_mem buffer, cl_mem_flags flags, const cl_buffer_region& region);

    /// The host writes `size` bytes at `offset`; `data` is null if the bytes are unknown.
    void on_host_write(cl_mem buffer, std::size_t offset, std::size_t size, const void* data);

    /// Whether the host has released the buffer, so that only this object owns it.
    bool is_released(cl_mem buffer) const;

    /// What the kernels wrote where they must not.
    struct Hits {
        std::vector<wire::GuardHit> guards;
        std::vector<wire::ReadOnlyHit> read_only;
    };
    /// Reads all guard zones and read-only buffers. Throws cl::Error.
    Hits inspect() const;

  private:
    struct Guarded {
        cl::Memory inner; ///< the student's buffer
        cl::Memory outer; ///< the same with a guard zone on either side
        cl::Context context;
        std::size_t size = 0;
        std::optional<std::vector<std::byte>>
            read_only; ///< the required contents of a CL_MEM_READ_ONLY buffer
    };

    /// Whether the host has released the buffer, so that only this object owns it.
    static bool has_one_owner(const Guarded& one);
    static void inspect(const Guarded& buffer, const std::vector<std::byte>& guard, Hits& hits);

    mutable std::mutex mutex_;
    std::uint32_t word_ = wire::poison;
    std::vector<Guarded> all_;
};

/// Returns `size` bytes of this word.
std::vector<std::byte> filled(std::size_t size, std::uint32_t word);

} // namespace runner
