#include "runner/heap.hpp"

#include "wire/messages.hpp"

namespace runner {

std::atomic<std::uint8_t>& heap_byte() {
    static std::atomic<std::uint8_t> byte{wire::heap_byte};
    return byte;
}

} // namespace runner
