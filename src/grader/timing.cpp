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
    const auto beyond = static_cast<std::size_t>(
        std::count_if(ratios.begin(), ratios.end(), [&](double ratio) { return ratio > bound; }));
    if (ratios.size() < batch_rounds)
        return !ratios.empty() && beyond <= 1 ? Speed::holds : Speed::unclear;
    if (median(ratios) <= bound)
        return Speed::holds;
    return beyond >= (ratios.size() >= long_rounds ? long_proof : batch_proof) ? Speed::exceeds
                                                                               : Speed::unclear;
}

} // namespace grader
