#pragma once

#include <stdexcept>

namespace grader {

/// The run cannot take place; what() says why and what to do, in one line.
struct Unusable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The same, before the submission is involved: it is not the submission's fault.
struct Unprepared : Unusable {
    using Unusable::Unusable;
};

} // namespace grader
