#include "runner/crash.hpp"

#include "runner/recorder.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <execinfo.h>
#include <unistd.h>
#include <vector>

namespace runner {
namespace {

constexpr std::array<int, 5> crash_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// A signal handler gets only the signal, so the data that it needs lies here.
struct CrashState {
    wire::Journal* journal = nullptr;
    std::array<struct sigaction, crash_signals.size()> previous{};
};

CrashState& state() {
    static CrashState instance;
    return instance;
}

struct sigaction& previous_action(int signal) {
    std::size_t i = 0;
    while (i + 1 < crash_signals.size() && crash_signals[i] != signal)
        ++i;
    return state().previous[i];
}

/// Returns whether the thread that crashed was running host code. Some devices run kernels on the
/// same thread, but then it is inside an OpenCL call.
bool in_host_code(const wire::Journal& journal) {
    const bool inside_call = journal.call.front() != '\0';
    return ::getpid() == ::gettid() && (!inside_call || journal.completed == journal.launched);
}

void write_stack(wire::Journal& journal) {
    std::array<void*, wire::Journal::frame_slots> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        journal.frames[i] = reinterpret_cast<std::uintptr_t>(frames[i]); // NOLINT
    journal.frame_count = static_cast<std::uint32_t>(count);
    journal.crashed_on_host = in_host_code(journal) ? 1 : 0;
}

void on_crash(int signal, siginfo_t* info, void* context) {
    const struct sigaction before = previous_action(signal);
    wire::Journal* journal = state().journal;
    if (journal == nullptr)
        return;
    // POCL's handler repairs divisions by zero in kernels, as OpenCL requires; in host code they
    // are a mistake like any other.
    if (signal == SIGFPE && !in_host_code(*journal) && (before.sa_flags & SA_SIGINFO) != 0) {
        before.sa_sigaction(signal, info,
                            context); // NOLINT(cppcoreguidelines-pro-type-union-access)
        return;
    }
    write_stack(*journal);
    if (signal == SIGSEGV)
        journal->mapping_misuse =
            static_cast<std::uint32_t>(recorder().mappings().misuse_at(info->si_addr));
    if (signal == SIGFPE)
        ::signal(signal, SIG_DFL); // NOLINT(cert-err33-c,cppcoreguidelines-pro-type-cstyle-cast)
    else
        ::sigaction(signal, &before, nullptr);
    static_cast<void>(::raise(signal));
}

/// Makes sure that what the handler uses is loaded and has a stack; called once.
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
    if (state().journal == nullptr)
        prepare();
    state().journal = &journal;
    for (const int signal : crash_signals) {
        struct sigaction action {};
        struct sigaction before {};
        // NOLINTBEGIN(cppcoreguidelines-pro-type-union-access): the system's struct
        action.sa_sigaction = on_crash;
        action.sa_flags = SA_ONSTACK | SA_SIGINFO;
        ::sigaction(signal, &action, &before);
        if (before.sa_sigaction != on_crash)
            previous_action(signal) = before;
        // NOLINTEND(cppcoreguidelines-pro-type-union-access)
    }
}

} // namespace runner
