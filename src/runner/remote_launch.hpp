#pragma once

#include "runner/workplace.hpp"
#include "wire/journal.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <span>

namespace runner {

/// Runs a launch of another process on buffers of this one, filled from `memory`, which contains
/// the kernel's results afterwards. Stores what was recorded in `reply`. Throws cl::Error if OpenCL
/// rejects something, and std::runtime_error.
void carry_out(const wire::CarryOut& request, Workplace& workplace, const cl::Program& program,
               std::span<std::byte> memory, wire::Journal& journal, wire::CallReply& reply);

} // namespace runner
