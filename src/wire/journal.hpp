#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace wire {

/// Mistakes that a host can make with memory that it has mapped.
enum class MappingMisuse : std::uint32_t { none, used_after_unmap, written_for_reading };

/// A string in shared memory, terminated by a zero.
using Name = std::array<char, 64>;

/// Return addresses, innermost first; the first 0 ends them.
constexpr std::size_t frame_slots = 32;
using Frames = std::array<std::uint64_t, frame_slots>;

/// A failed OpenCL call: what the host asked for, and why that is impossible if the runner
/// knows. It is in shared memory, so it has no pointers. A member is 0 if the call has no such thing.
struct FailedCall {
    enum class Request : std::uint32_t { other, kernel, buffer, part, transfer, argument, launch };
    enum class Reason : std::uint32_t {
        unknown,
        large_group,        ///< more work-items in a work-group than `limit`
        local_memory,       ///< more local memory in a launch than `limit`
        empty_event,        ///< event `index` of the wait list
        no_work_items,      ///< the global size is 0
        other_program,      ///< the kernel is not from setup.program
        argument_not_set,   ///< argument `index` of `limit`
        large_constant,     ///< argument `index` has `size` bytes, but constant memory `limit`
        mapped_buffer,      ///< argument `index` is mapped for writing
        released_buffer,    ///< argument `index` was released
        short_input,        ///< a copy of `size` bytes from an input of `limit`
        unprofiled_queue,   ///< the event's queue does not measure times
        kept_buffer,        ///< the transfer's buffer is from an earlier call of the function
        failed_in_executor, ///< `executor` says why
        not_mapped,         ///< the pointer is not from a map of the buffer
    };

    Name function{}; ///< "" if no call has failed
    std::int32_t code = 0;
    Request request = Request::other;
    Reason reason = Reason::unknown;
    Name kernel{};                              ///< which it creates, launches or gives an argument
    std::array<std::uint64_t, 3> global_size{}; ///< of a launch
    std::array<std::uint64_t, 3> work_group_size{};
    std::uint64_t local_memory = 0; ///< bytes that a launch gets as arguments
    std::uint64_t index = 0;
    std::uint64_t offset = 0; ///< in bytes, of a transfer
    std::uint64_t size = 0;   ///< in bytes
    /// See `reason`. Without one: the bytes of a transfer's buffer, or how many arguments the kernel has.
    std::uint64_t limit = 0;
    std::uint64_t pattern_size = 0;   ///< of a fill
    std::uint32_t has_pointer = 0;    ///< 1: the host passes its memory
    std::uint32_t needs_pointer = 0;  ///< 1: the buffer's flags say so
    std::array<char, 512> executor{}; ///< the answer of another process that executes the launches
    Frames frames{};                  ///< where the host makes the call
    Frames buffer_frames{};           ///< where it has created the transfer's buffer
};

/// What a runner leaves behind when it dies: a few words in shared memory that the grader reads
/// after a crash, a hang or an exit. The runner only writes, the grader only reads, and treats the
/// journal only as a hint about where the runner probably was.
struct Journal {
    static constexpr std::size_t launch_slots = 64;

    std::atomic<std::uint32_t> launched; ///< kernels enqueued since the request came
    std::atomic<std::uint32_t>
        completed; ///< this many of the first ones have ended, as far as is known
    std::atomic<std::uint64_t> last_work_items; ///< of the last launch
    std::atomic<std::uint64_t> last_group_size; ///< of the last launch; 0: the host left it open
    std::array<Name, launch_slots> kernels;     ///< name of launch i in slot i % launch_slots
    Name call; ///< the OpenCL function entered last, "" once it has returned
    std::atomic<std::uint32_t>
        inquiries; ///< how often the runner has counted at the grader's request
    std::atomic<std::uint32_t> unwaited_read;   ///< 1: the host has not waited for a read
    Frames unwaited_frames;                     ///< where the host started that read
    std::atomic<std::uint64_t> read_bytes;      ///< of the host's last read; 0: there was none
    Frames read_frames;                         ///< where the host made it
    std::atomic<std::uint32_t> unset_events;    ///< user events that the host has not set
    std::atomic<std::uint32_t> failed_events;   ///< user events that it has set to an error
    std::atomic<std::uint32_t> mapping_misuse;  ///< the cause of a crash: a MappingMisuse
    std::atomic<std::uint32_t> crashed_on_host; ///< 1: the thread that crashed ran host code
    Frames frames;                              ///< of the stack that crashed

    FailedCall first_failure; ///< since the request came
    FailedCall last_failure;
};

/// Asks a runner that hangs to count its completed kernels once more.
constexpr int inquiry_signal = SIGUSR1;

/// The beginning of `addresses`.
inline Frames first_frames(const std::vector<std::uint64_t>& addresses) {
    Frames frames{};
    std::copy_n(addresses.begin(), std::min(addresses.size(), frames.size()), frames.begin());
    return frames;
}

/// The addresses in `frames`.
inline std::vector<std::uint64_t> addresses_in(const Frames& frames) {
    return {frames.begin(), std::find(frames.begin(), frames.end(), 0)};
}

/// The text in `name`, which need not be terminated if it is forged.
template <std::size_t size> std::string text_of(const std::array<char, size>& name) {
    return {name.begin(), std::find(name.begin(), name.end(), '\0')};
}

/// Copies `text` into `name`, cut to its size and always terminated by a zero.
template <std::size_t size> void set_name(std::array<char, size>& name, const char* text) {
    std::strncpy(name.data(), text, name.size() - 1);
    name.back() = '\0';
}

} // namespace wire
