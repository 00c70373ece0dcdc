#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wire {

/// Mistakes that a host can make with memory that it has mapped.
enum class MappingMisuse : std::uint32_t { none, used_after_unmap, written_for_reading };

/// What a runner leaves behind when it dies: a few words in shared memory that the grader reads
/// after a crash, a hang or an exit. The runner only writes, the grader only reads, and treats the
/// journal only as a hint about where the runner probably was.
struct Journal {
    static constexpr std::size_t name_size = 64;
    static constexpr std::size_t launch_slots = 64;
    static constexpr std::size_t frame_slots = 32;
    using Name = std::array<char, name_size>;

    std::atomic<std::uint32_t> launched; ///< kernels enqueued since the request came
    std::atomic<std::uint32_t>
        completed; ///< this many of the first ones have ended, as far as is known
    std::array<Name, launch_slots> kernels; ///< name of launch i in slot i % launch_slots
    Name call; ///< the OpenCL function entered last, "" once it has returned
    std::atomic<std::uint32_t>
        inquiries; ///< how often the runner has counted at the grader's request
    std::atomic<std::uint32_t> unwaited_read;      ///< 1: the host has not waited for a read
    std::atomic<std::uint32_t> unset_events;       ///< user events that the host has not set
    std::atomic<std::uint32_t> failed_events;      ///< user events that it has set to an error
    std::atomic<std::uint32_t> mapping_misuse;     ///< the cause of a crash: a MappingMisuse
    std::atomic<std::uint32_t> crashed_on_host;    ///< 1: the thread that crashed ran host code
    std::atomic<std::uint32_t> frame_count;        ///< frames written by the crash handler
    std::array<std::uint64_t, frame_slots> frames; ///< return addresses, innermost first

    struct FailedCall {
        Name function; ///< "" if none has failed
        std::array<char, 4 * name_size> detail;
        std::atomic<std::int32_t> code;
        std::atomic<std::uint32_t> frame_count;
        std::array<std::uint64_t, frame_slots> frames; ///< return addresses, innermost first
    };
    FailedCall first_failure; ///< the first OpenCL function that failed since the request came
};

/// Asks a runner that hangs to count its completed kernels once more.
constexpr int inquiry_signal = SIGUSR1;

/// Copies `text` into `name`, cut to its size and always terminated by a zero.
template <std::size_t size> void set_name(std::array<char, size>& name, const char* text) {
    std::strncpy(name.data(), text, name.size() - 1);
    name.back() = '\0';
}

} // namespace wire
