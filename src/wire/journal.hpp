#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wire {

/// What a host may do wrong with memory that it has mapped.
enum class MappingMisuse : std::uint32_t { none, used_after_unmap, written_for_reading };

/// What a runner leaves behind when it dies: a few words in shared memory that the grader reads
/// after a crash, a hang or an exit. The runner only ever writes, the grader only ever reads, and
/// believes nothing more than "this is where it probably was".
struct Journal {
    static constexpr std::size_t name_size = 64;
    static constexpr std::size_t launch_slots = 64;
    static constexpr std::size_t frame_slots = 32;
    using Name = std::array<char, name_size>;

    std::atomic<std::uint32_t> launched; ///< kernels enqueued since the request came
    std::atomic<std::uint32_t>
        completed; ///< so many of the first have ended, for all that is known
    std::array<Name, launch_slots> kernels; ///< name of launch i in slot i % launch_slots
    Name call; ///< the OpenCL function entered last, "" once it is left
    std::atomic<std::uint32_t>
        inquiries; ///< how often the runner has counted at the grader's request
    std::atomic<std::uint32_t> unwaited_read;      ///< 1: a read was started that nobody waited for
    std::atomic<std::uint32_t> mapping_misuse;     ///< what a crash was: a MappingMisuse
    std::atomic<std::uint32_t> crashed_on_host;    ///< 1: the thread that crashed ran host code
    std::atomic<std::uint32_t> frame_count;        ///< frames written by the crash handler
    std::array<std::uint64_t, frame_slots> frames; ///< return addresses, innermost first
};

/// Asks a runner that hangs to count its completed kernels once more.
constexpr int inquiry_signal = SIGUSR1;

/// Copies `text` into `name`, cut to its size and always closed with a zero.
inline void set_name(Journal::Name& name, const char* text) {
    std::strncpy(name.data(), text, name.size() - 1);
    name.back() = '\0';
}

} // namespace wire
