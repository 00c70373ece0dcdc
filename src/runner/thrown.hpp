#pragma once

#include <cstdint>
#include <vector>

namespace runner {

/// Returns the return addresses of the stack on which this thread threw its last exception,
/// innermost first; empty if it has thrown none since forget_throw().
std::vector<std::uint64_t> thrown_frames();
void forget_throw();

/// Returns the return addresses of the calls that this thread is in, innermost first.
std::vector<std::uint64_t> current_frames();

} // namespace runner
