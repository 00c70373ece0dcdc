#pragma once

#include "runner/lab.hpp"

#include <algorithm>
#include <cmath>

/// The operators of labs 1 to 3. The kernels are built once for each operator, with the macros
/// COMBINE(a, b) and IDENTITY; combine() and identity() do the same on the host.
enum class Operator : cl_int { sum, minimum, maximum };

/// The value that changes nothing: combine(op, identity(op), x) is x.
inline cl_float identity(Operator op) {
    switch (op) {
    case Operator::minimum:
        return INFINITY;
    case Operator::maximum:
        return -INFINITY;
    default:
        return 0.0F;
    }
}

/// a + b, or the smaller or the larger of the two.
inline cl_float combine(Operator op, cl_float a, cl_float b) {
    switch (op) {
    case Operator::minimum:
        return std::min(a, b);
    case Operator::maximum:
        return std::max(a, b);
    default:
        return a + b;
    }
}
