#pragma once

#include "runner/workplace.hpp"
#include "wire/journal.hpp"
#include "wire/messages.hpp"
#include "wire/span.hpp"

#include <cstddef>

namespace runner {

/// Carries out a launch of another process's: on buffers of this one, filled from `memory`, which
/// holds afterwards what the kernel has left in them. What was seen goes into `reply`. Throws
/// cl::Error when OpenCL refuses something, and std::runtime_error.
void carry_out(const wire::CarryOut& request, Workplace& workplace, const cl::Program& program,
               wire::Span<std::byte> memory, wire::Journal& journal, wire::CallReply& reply);

} // namespace runner
