#pragma once

#include "runner/bind.hpp"

namespace runner {

/// Answers the grader's requests with the lab's `functions` until the grader closes the connection.
/// Returns the process's exit status.
int serve(const Functions& functions);

} // namespace runner
