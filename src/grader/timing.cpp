#include "grader/timing.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

namespace grader {
namespace {

/// The approximate device time of a batch that is unclear until its end.
constexpr double batch_seconds = 20;

/// The sign test: `beyond` of `rounds` against a binomial distribution of half of them.
bool is_proof(std::size_t beyond, std::size_t rounds) {
    const auto n = static_cast<double>(rounds);
    return static_cast<double>(beyond) >= (n + deviations * std::sqrt(n)) / 2;
}

void add(MeasuredRounds& batch, MeasuredRounds more) {
    more.ratios.insert(more.ratios.begin(), batch.ratios.begin(), batch.ratios.end());
    more.seconds += batch.seconds;
    batch = std::move(more);
}

MeasuredRounds measure_batch(double bound, const MeasureRounds& measure) {
    MeasuredRounds batch = measure(first_rounds);
    const double rounds_in_time =
        batch_seconds / batch.seconds * static_cast<double>(batch.ratios.size());
    const std::size_t affordable =
        std::clamp(static_cast<std::size_t>(rounds_in_time), proving_rounds, long_rounds);
    for (const std::size_t rounds : {least_rounds, first_rounds, batch_rounds, long_rounds}) {
        const std::size_t wanted = std::min(rounds, affordable);
        while (batch.ratios.size() < wanted)
            add(batch, measure(wanted - batch.ratios.size()));
        batch.judgement = judge(batch.ratios, bound);
        // The first few rounds can prove only that a call is extremely slow.
        const bool is_judged = std::isfinite(bound);
        if (batch.judgement == Speed::exceeds ||
            (batch.judgement == Speed::holds && (rounds != least_rounds || !is_judged)))
            break;
    }
    return batch;
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

MeasuredRounds measure_speed(double bound, const MeasureRounds& measure,
                             std::chrono::milliseconds pause) {
    MeasuredRounds batch = measure_batch(bound, measure);
    if (batch.judgement != Speed::exceeds)
        return batch;
    std::this_thread::sleep_for(pause);
    batch = measure_batch(bound, measure);
    if (batch.judgement != Speed::exceeds)
        batch.judgement = Speed::unclear;
    return batch;
}

} // namespace grader
