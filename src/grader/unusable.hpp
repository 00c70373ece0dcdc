#pragma once

#include <stdexcept>

namespace grader {

/// The run cannot take place; what() says why and what to do, in one line.
struct Unusable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The same, before anything of a submission had a part in it: no fault of whoever sent it.
struct Unprepared : Unusable {
    using Unusable::Unusable;
};

} // namespace grader
