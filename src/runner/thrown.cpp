/// Notes where the host throws: an exception that arrives in serve.cpp no longer has its stack, and
/// a failed OpenCL call is an exception of OpenCL's C++ binding.

#include "runner/thrown.hpp"

#include "wire/journal.hpp"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <execinfo.h>

namespace runner {
namespace {

/// A stack trace that allocates nothing: no memory may be left when the host throws.
struct Stack {
    std::array<void*, wire::frame_slots> frames{};
    std::size_t count = 0;

    void take() {
        const int found = ::backtrace(frames.data(), static_cast<int>(frames.size()));
        count = found > 0 ? static_cast<std::size_t>(found) : 0;
    }

    std::vector<std::uint64_t> addresses() const {
        std::vector<std::uint64_t> all;
        for (std::size_t i = 0; i < count; ++i)
            all.push_back(reinterpret_cast<std::uintptr_t>(frames.at(i))); // NOLINT
        return all;
    }
};

Stack& last_thrown() {
    thread_local Stack instance;
    return instance;
}

} // namespace

std::vector<std::uint64_t> thrown_frames() { return last_thrown().addresses(); }

void forget_throw() { last_thrown().count = 0; }

std::vector<std::uint64_t> current_frames() {
    Stack stack;
    stack.take();
    return stack.addresses();
}

} // namespace runner

// NOLINTBEGIN: the names and types are those of the C++ ABI
/// Every `throw` calls this function. A program's own definition takes precedence over that of the
/// shared library, also for the library's own exceptions, such as those of std::vector::at().
extern "C" [[noreturn]] void __cxa_throw(void* exception, void* type, void (*destroy)(void*)) {
    using Throw = void (*)(void*, void*, void (*)(void*));
    static const Throw real = reinterpret_cast<Throw>(::dlsym(RTLD_NEXT, "__cxa_throw"));
    runner::last_thrown().take();
    real(exception, type, destroy);
    std::abort(); // not reached
}
// NOLINTEND
