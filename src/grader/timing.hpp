#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

/// Judges speed in a way that noise cannot reverse. Source of the procedure and of its numbers:
/// 26,000 pairs of equal kernels beside two bursty processes; the median of paired ratios stayed
/// within 0.96 to 1.03 over 101 rounds, where a ratio of medians or of minima ran from 0.5 to 1.8.
namespace grader {

enum class Speed {
    holds,   ///< the median is within the bound
    exceeds, ///< too many rounds are beyond the bound for chance to explain it
    unclear
};

/// Rounds measured first. If nearly all of them are within the bound, no more are needed.
constexpr std::size_t first_rounds = 11;
/// Rounds of a full batch, and those once a full batch was unclear.
constexpr std::size_t batch_rounds = 101;
constexpr std::size_t long_rounds = 401;

/// The rounds beyond the bound are proof if they are this many standard deviations more than the half
/// that a median on the bound would have: 24 of 24, 75 of 101, 249 of 401. By chance alone, one batch
/// in a million.
constexpr double deviations = 4.8;

/// The fewest rounds that can be proof. They are measured even if they take too long, so that
/// slowness does not make a case inconclusive.
constexpr std::size_t proving_rounds = 24;

/// If a call is so slow that a full batch would take minutes, these few rounds are enough if every
/// one of them is beyond the bound by this factor.
constexpr std::size_t least_rounds = 3;
constexpr double extreme_factor = 10;
/// The same for the rounds measured first.
constexpr double clear_factor = 2;

/// The median of `values`; 0 for none.
double median(std::vector<double> values);

/// Judges `ratios` (time over baseline's time, one per round) against `bound`. Fewer than a full
/// batch hold only if at most one in eleven is beyond it.
Speed judge(const std::vector<double>& ratios, double bound);

/// What some rounds have measured.
struct MeasuredRounds {
    std::vector<double> ratios;  ///< time over baseline's time, one per round
    double seconds = 0;          ///< device time of all rounds together, baseline included
    double call_nanoseconds = 0; ///< median device time of a call
    double host_nanoseconds = 0; ///< of a call without its kernels
    Speed judgement = Speed::unclear;
};

/// Measures at least one round, but at most as many as it is asked for.
using MeasureRounds = std::function<MeasuredRounds(std::size_t most)>;

/// Measures until the rounds hold or exceed `bound`, or a batch is over. Whatever slows a batch down may
/// be over soon, so it exceeds the bound only if a second batch does after `pause`. Returns the last batch.
MeasuredRounds measure_speed(double bound, const MeasureRounds& measure,
                             std::chrono::milliseconds pause = std::chrono::seconds(1));

} // namespace grader
