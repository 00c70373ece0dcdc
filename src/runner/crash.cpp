#include "runner/crash.hpp"

#include "runner/recorder.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <execinfo.h>
#include <pthread.h>
#include <unistd.h>
#include <vector>

namespace runner {
namespace {

constexpr std::array<int, 5> crash_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// A signal handler gets only the signal, so the data that it needs lies here.
struct CrashState {
    wire::Journal* journal = nullptr;
    std::array<struct sigaction, crash_signals.size()> previous{};
    std::uintptr_t stack_end = 0; ///< lowest address of the main thread's stack; 0: unknown
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

/// Whether the thread that crashed was running host code. Some devices run kernels on the
/// same thread, but then it is inside an OpenCL call.
bool in_host_code(const wire::Journal& journal) {
    const bool inside_call = journal.call.front() != '\0';
    return ::getpid() == ::gettid() && (!inside_call || journal.completed == journal.launched);
}

/// Whether the main thread crashed at `address` because its stack is full.
bool is_stack_overflow(std::uintptr_t address) {
    constexpr std::uintptr_t largest_frame = std::uintptr_t{1} << 20;
    constexpr std::uintptr_t guard = std::uintptr_t{64} << 10;
    const std::uintptr_t end = state().stack_end;
    return end != 0 && ::getpid() == ::gettid() && address < end + guard &&
           address + largest_frame > end;
}

/// `is_full`: the stack has overflowed. In a recursion of host code that can happen inside an OpenCL call
/// while kernels run.
void write_stack(wire::Journal& journal, bool is_full) {
    std::array<void*, wire::frame_slots> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        journal.frames[i] = reinterpret_cast<std::uintptr_t>(frames[i]); // NOLINT
    const bool is_recursion = is_full && static_cast<std::size_t>(count) == frames.size();
    journal.crashed_on_host = is_recursion || in_host_code(journal) ? 1 : 0;
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
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr); // NOLINT
    write_stack(*journal, signal == SIGSEGV && is_stack_overflow(address));
    if (signal == SIGSEGV)
        journal->mapping_misuse =
            static_cast<std::uint32_t>(recorder().mappings().misuse_at(info->si_addr));
    if (signal == SIGFPE)
        ::signal(signal, SIG_DFL); // NOLINT(cert-err33-c,cppcoreguidelines-pro-type-cstyle-cast)
    else
        ::sigaction(signal, &before, nullptr);
    static_cast<void>(::raise(signal));
}

/// Of the calling thread; 0 if it is not known.
std::uintptr_t lowest_stack_address() {
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
        return 0;
    void* lowest = nullptr;
    std::size_t size = 0;
    if (::pthread_attr_getstack(&attributes, &lowest, &size) != 0)
        lowest = nullptr;
    ::pthread_attr_destroy(&attributes);
    return reinterpret_cast<std::uintptr_t>(lowest); // NOLINT
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
    state().stack_end = lowest_stack_address();
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
