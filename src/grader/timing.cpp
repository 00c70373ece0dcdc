#include "grader/timing.hpp"

#include <algorithm>

namespace grader {

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Speed judge(const std::vector<double>& ratios, double bound) {
    const auto count_above = [&](double limit) {
        return static_cast<std::size_t>(std::count_if(ratios.begin(), ratios.end(),
                                                      [&](double ratio) { return ratio > limit; }));
    };
    const std::size_t beyond = count_above(bound);
    if (ratios.size() < batch_rounds) {
        if (!ratios.empty() && first_rounds * beyond <= ratios.size())
            return Speed::holds;
        const bool extreme = count_above(extreme_factor * bound) == ratios.size();
        return extreme && ratios.size() >= least_rounds ? Speed::exceeds : Speed::unclear;
    }
    if (median(ratios) <= bound)
        return Speed::holds;
    return beyond >= (ratios.size() >= long_rounds ? long_proof : batch_proof) ? Speed::exceeds
                                                                               : Speed::unclear;
}

} // namespace grader
