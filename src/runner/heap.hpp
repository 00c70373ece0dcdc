#pragma once

#include <atomic>
#include <cstdint>

namespace runner {

/// The byte that fills the memory that the host's code allocates, so that memory which it never writes
/// is not 0 by luck. Thread-safe.
std::atomic<std::uint8_t>& heap_byte();

} // namespace runner
