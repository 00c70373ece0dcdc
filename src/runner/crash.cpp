#include "runner/crash.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <execinfo.h>
#include <vector>

namespace runner {
namespace {

// A signal handler is given nothing but the signal's number.
wire::Journal *crash_journal =
    nullptr; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void write_stack(int signal) {
    std::array<void *, wire::Journal::frame_slots> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    for (int i = 0; i < count; ++i)
        crash_journal->frames[static_cast<std::size_t>(i)] =
            reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]); // NOLINT
    crash_journal->frame_count = static_cast<std::uint32_t>(count);
    ::raise(signal); // SA_RESETHAND put the default action back
}

} // namespace

void record_crashes(wire::Journal &journal) {
    crash_journal = &journal;
    // The first call loads a library, which a signal handler must not do.
    std::array<void *, 1> frames{};
    ::backtrace(frames.data(), static_cast<int>(frames.size()));

    // A stack overflow leaves no room for the handler, so it has a stack of its own.
    static std::vector<char> handler_stack(std::size_t{64} << 10);
    stack_t stack{};
    stack.ss_sp = handler_stack.data();
    stack.ss_size = handler_stack.size();
    ::sigaltstack(&stack, nullptr);

    struct sigaction action {};
    action.sa_handler = write_stack; // NOLINT(cppcoreguidelines-pro-type-union-access)
    action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        ::sigaction(signal, &action, nullptr);
}

} // namespace runner
