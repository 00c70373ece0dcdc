#pragma once

#include <stdexcept>

namespace grader {

/// The run cannot take place; what() says why and what to do, in one line.
struct Unusable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace grader
