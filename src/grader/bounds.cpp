#include "grader/bounds.hpp"

#include <limits>

namespace grader {

double summation_bound(std::size_t chain, double magnitudes) {
    constexpr double unit_roundoff = 0x1p-24;
    const double growth = static_cast<double>(chain) * unit_roundoff;
    if (growth >= 1)
        return std::numeric_limits<double>::infinity();
    return growth / (1 - growth) * magnitudes;
}

} // namespace grader
