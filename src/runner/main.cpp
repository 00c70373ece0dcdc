/// A lab's runner: compiled once for each lab, with LAB_HEADER naming the lab's own header.

#define LAB_DECLARATIONS
#include "runner/bind.hpp"
#include "runner/heap.hpp"
#include "runner/serve.hpp"

#include LAB_HEADER

#include <cstddef>
#include <cstdlib>
#include <cstring>

// NOLINTBEGIN: the linker's --wrap makes these names
/// The program's own calls of `new` and malloc() arrive here; those of OpenCL's libraries do not.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real__Znwm(std::size_t size); // new
void* __real__Znam(std::size_t size); // new[]

void* __wrap_malloc(std::size_t size) {
    void* const memory = __real_malloc(size);
    return memory == nullptr ? nullptr : std::memset(memory, runner::heap_byte(), size);
}
void* __wrap__Znwm(std::size_t size) {
    return std::memset(__real__Znwm(size), runner::heap_byte(), size);
}
void* __wrap__Znam(std::size_t size) {
    return std::memset(__real__Znam(size), runner::heap_byte(), size);
}
}
// NOLINTEND

int main() {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name in a list
#define LAB_FUNCTION(name) {#name, runner::bind(&name)},
    const runner::Functions functions{LAB_FUNCTIONS};
#undef LAB_FUNCTION
    return runner::serve(functions);
}
