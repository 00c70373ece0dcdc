#pragma once

#include "sandbox/cell.hpp"
#include "sandbox/words.hpp"

#include <optional>
#include <sys/types.h>

namespace sandbox {

/// Returns the options of the program confine, inside the sandbox; `user` is the one to become, if
/// any.
Words confine_options(const Cell& cell, Protection protection, std::optional<uid_t> user);

} // namespace sandbox
