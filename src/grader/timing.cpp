#include "grader/timing.hpp"

#include <algorithm>
#include <cmath>

namespace grader {
namespace {

/// The sign test: `beyond` of `rounds` against a binomial distribution of half of them.
bool is_proof(std::size_t beyond, std::size_t rounds) {
    const auto n = static_cast<double>(rounds);
    return static_cast<double>(beyond) >= (n + deviations * std::sqrt(n)) / 2;
}

} // namespace

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Speed judge(const std::vector<double>& ratios, double bound) {
    const auto count_above = [&](double limit) {
        return static_cast<std::size_t>(
            std::ranges::count_if(ratios, [&](double ratio) { return ratio > limit; }));
    };
    if (ratios.empty())
        return Speed::unclear;
    const std::size_t beyond = count_above(bound);
    const bool holds = ratios.size() < batch_rounds ? first_rounds * beyond <= ratios.size()
                                                    : median(ratios) <= bound;
    if (holds)
        return Speed::holds;
    const auto all_beyond = [&](double factor, std::size_t rounds) {
        return ratios.size() >= rounds && count_above(factor * bound) == ratios.size();
    };
    const bool proven = is_proof(beyond, ratios.size()) ||
                        all_beyond(extreme_factor, least_rounds) ||
                        all_beyond(clear_factor, first_rounds);
    return proven ? Speed::exceeds : Speed::unclear;
}

} // namespace grader
