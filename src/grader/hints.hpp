#pragma once

#include "grader/failure.hpp"
#include "grader/small_trials.hpp"
#include "wire/messages.hpp"

#include <string>

/// Hints for mistakes that any case can show. Those for the algorithm of a lab belong to its cases.
namespace grader {

/// Hints for a mistake in a kernel.
Hints hints_for(const wire::Finding& finding);

/// Hints for a mistake whose line is known.
Hints hints_for(const Correction& correction);

/// Hints for a number that was computed from uninitialized memory or from outside a buffer.
Hints hints_for_strange_memory();

/// Hints for a kernel that wrote outside its buffers.
Hints hints_for_stray_write();

/// Hints for commands of the host without a defined order.
Hints hints_for_missing_order();

/// Hints for a failed OpenCL call; none if the message says all.
Hints hints_for_failed_call(const wire::FailedCall& call);

/// Hints for what is not implemented yet in `lab`.
Hints hints_for_beginning(const std::string& lab);

} // namespace grader
