#pragma once

#include "grader/failure.hpp"
#include "grader/interpreter.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace grader {

/// Where an element is lost: the last copy of its value is no result, and nothing stored later is made of
/// that copy. `launches`: all of a call. Returns nothing if the element reaches a result, or is never read.
std::optional<WrongStep> where_lost(const std::vector<TracedLaunch>& launches,
                                    const FollowedElement& element);

/// Where values that are made of the same element are combined; nothing if no result is.
std::optional<WrongStep> where_doubled(const std::vector<TracedLaunch>& launches,
                                       std::size_t element);

} // namespace grader
