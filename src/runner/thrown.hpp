#pragma once

#include <cstdint>
#include <vector>

namespace runner {

/// Returns the return addresses of the stack on which this thread threw its last exception,
/// innermost first; empty if it has thrown none since forget_throw().
std::vector<std::uint64_t> thrown_frames();
void forget_throw();

} // namespace runner
