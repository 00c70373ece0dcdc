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

/// Where the value that would bring an element to the result with index `result` is overwritten before it is
/// read.
std::optional<WrongStep> where_overwritten(const std::vector<TracedLaunch>& launches,
                                           const FollowedElement& element, std::size_t result);

/// Where kernels first store `value`, which is no element; nothing if they load it before, or never store it.
std::optional<WrongStep> where_made(const std::vector<TracedLaunch>& launches, float value);

/// Where values that are made of the same element are combined; nothing if no result is, or not that with
/// the index `result`.
std::optional<WrongStep> where_doubled(const std::vector<TracedLaunch>& launches,
                                       std::size_t element,
                                       std::optional<std::size_t> result = std::nullopt);

} // namespace grader
