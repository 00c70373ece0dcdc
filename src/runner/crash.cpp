#include "runner/crash.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <execinfo.h>
#include <vector>

namespace runner {
namespace {

/// Not SIGFPE: POCL's handler for it mends divisions by zero in kernels, as OpenCL wants it.
constexpr std::array<int, 4> crash_signals{SIGSEGV, SIGBUS, SIGILL, SIGABRT};

/// A signal handler is given nothing but the signal's number, so what it needs lies here.
struct CrashState {
    wire::Journal* journal = nullptr; ///< set before the handler is
    std::array<struct sigaction, crash_signals.size()> previous{};
};

CrashState& state() {
    static CrashState instance;
    return instance;
}

void write_stack(int signal) {
    CrashState& crash = state();
    if (crash.journal == nullptr)
        return;
    std::array<void*, wire::Journal::frame_slots> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        crash.journal->frames[i] = reinterpret_cast<std::uintptr_t>(frames[i]); // NOLINT
    crash.journal->frame_count = static_cast<std::uint32_t>(count);
    for (std::size_t i = 0; i < crash_signals.size(); ++i) {
        if (crash_signals[i] == signal)
            ::sigaction(signal, &crash.previous[i], nullptr);
    }
    static_cast<void>(::raise(signal));
}

/// Makes sure that what the handler uses is loaded and has a stack; done once.
void prepare() {
    // The first call loads a library, which a signal handler must not do.
    std::array<void*, 1> frames{};
    ::backtrace(frames.data(), static_cast<int>(frames.size()));

    // A stack overflow leaves no room for the handler, so it has a stack of its own.
    static std::vector<char> handler_stack(std::size_t{64} << 10);
    stack_t stack{};
    stack.ss_sp = handler_stack.data();
    stack.ss_size = handler_stack.size();
    ::sigaltstack(&stack, nullptr);
}

} // namespace

void record_crashes(wire::Journal& journal) {
    CrashState& crash = state();
    if (crash.journal == nullptr)
        prepare();
    crash.journal = &journal;
    for (std::size_t i = 0; i < crash_signals.size(); ++i) {
        struct sigaction action {};
        struct sigaction before {};
        action.sa_handler = write_stack; // NOLINT(cppcoreguidelines-pro-type-union-access)
        action.sa_flags = SA_ONSTACK;
        ::sigaction(crash_signals[i], &action, &before);
        if (before.sa_handler != write_stack) // NOLINT(cppcoreguidelines-pro-type-union-access)
            crash.previous[i] = before;
    }
}

} // namespace runner
