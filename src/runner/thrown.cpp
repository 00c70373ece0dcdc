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

struct Thrown {
    std::array<void*, wire::Journal::frame_slots> frames{};
    std::size_t count = 0;
};

Thrown& last_thrown() {
    thread_local Thrown instance;
    return instance;
}

} // namespace

std::vector<std::uint64_t> thrown_frames() {
    const Thrown& last = last_thrown();
    std::vector<std::uint64_t> frames;
    for (std::size_t i = 0; i < last.count; ++i)
        frames.push_back(reinterpret_cast<std::uintptr_t>(last.frames[i])); // NOLINT
    return frames;
}

void forget_throw() { last_thrown().count = 0; }

} // namespace runner

// NOLINTBEGIN: the names and types are those of the C++ ABI
/// Every `throw` calls this function. A program's own definition takes precedence over that of the
/// shared library, also for the library's own exceptions, such as those of std::vector::at().
extern "C" [[noreturn]] void __cxa_throw(void* exception, void* type, void (*destroy)(void*)) {
    using Throw = void (*)(void*, void*, void (*)(void*));
    static const Throw real = reinterpret_cast<Throw>(::dlsym(RTLD_NEXT, "__cxa_throw"));
    runner::Thrown& last = runner::last_thrown();
    const int count = ::backtrace(last.frames.data(), static_cast<int>(last.frames.size()));
    last.count = count > 0 ? static_cast<std::size_t>(count) : 0;
    real(exception, type, destroy);
    std::abort(); // not reached
}
// NOLINTEND
