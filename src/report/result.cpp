#include "report/result.hpp"

#include <numeric>

namespace report {

int Result::score() const {
    return std::accumulate(cases.begin(), cases.end(), 0,
                           [](int sum, const Case& one) { return sum + one.score; });
}

int Result::max_score() const {
    return std::accumulate(cases.begin(), cases.end(), 0,
                           [](int sum, const Case& one) { return sum + one.max_score; });
}

} // namespace report
