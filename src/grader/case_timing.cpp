/// How a case compares its kernels' time with that of a baseline.

#include "grader/case.hpp"
#include "grader/session.hpp"
#include "grader/timing.hpp"
#include "grader/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

namespace grader {
namespace {

/// Wall time after which a request begins no more rounds.
constexpr double request_seconds = 5;

std::string percent(double fraction) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(fraction < 0.1 ? 1 : 0) << 100 * fraction << "%";
    return text.str();
}

std::string rounded(double value, int digits) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

/// "2.7 times as fast as" or "takes 2.7 times as long as", for a ratio of times.
std::string speed_words(double ratio) {
    return ratio <= 1 ? rounded(1 / ratio, 2) + " times as fast as"
                      : "takes " + rounded(ratio, 2) + " times as long as";
}

/// The time of a call without its kernels, which the rounds measure better.
double nanoseconds_of_host(const wire::CallReply& call) {
    double nanoseconds = call.seconds * 1e9;
    for (const wire::Launch& launch : call.launches)
        nanoseconds -= static_cast<double>(launch.nanoseconds);
    return std::max(nanoseconds, 0.0);
}

/// What a call measured in at most `most` rounds, each of which runs the function and its baseline twice.
MeasuredRounds rounds_of(const wire::CallReply& call, std::size_t most) {
    const std::vector<std::uint64_t>& mine = call.function_times;
    const std::vector<std::uint64_t>& base = call.baseline_times;
    if (mine.empty())
        end(report::Status::fail, "no kernel ran, so there is no device time to measure");
    if (mine.size() != base.size() || mine.size() % 2 != 0 || mine.size() > 2 * most)
        end(report::Status::error,
            "the runner measured a different number of rounds than requested");
    MeasuredRounds measured;
    std::vector<double> times;
    for (std::size_t i = 0; i < mine.size(); i += 2) {
        const auto own_time = static_cast<double>(mine[i] + mine[i + 1]);
        const auto base_time = static_cast<double>(base[i] + base[i + 1]);
        if (own_time <= 0 || base_time <= 0)
            end(report::Status::fail, "no kernel ran, so there is no device time to measure");
        measured.ratios.push_back(own_time / base_time);
        measured.seconds += (own_time + base_time) * 1e-9;
        times.push_back(own_time / 2);
    }
    measured.call_nanoseconds = median(times);
    measured.host_nanoseconds = nanoseconds_of_host(call);
    return measured;
}

/// What the report says about these rounds, without the times of the host.
report::Timing timing_of(const MeasuredRounds& measured, const SpeedLimit& limit) {
    report::Timing timing;
    timing.elements = limit.elements;
    timing.baseline = limit.baseline_name;
    timing.nanoseconds = measured.call_nanoseconds;
    timing.bytes_per_second =
        static_cast<double>(limit.elements) * limit.bytes_per_element / timing.nanoseconds * 1e9;
    const auto [low, high] = std::ranges::minmax(measured.ratios);
    timing.ratio = median(measured.ratios);
    timing.ratio_low = low;
    timing.ratio_high = high;
    timing.rounds = static_cast<int>(measured.ratios.size());
    timing.bandwidth_fraction =
        limit.bytes_per_element / limit.baseline_bytes_per_element / timing.ratio;
    return timing;
}

std::string describe(const report::Timing& timing) {
    std::ostringstream text;
    text << timing.elements << " elements in " << rounded(timing.nanoseconds * 1e-6, 3) << " ms";
    if (timing.wall_nanoseconds > 0)
        text << " (" << rounded(timing.wall_nanoseconds * 1e-6, 1) << " ms with the host code)";
    text << ", " << rounded(timing.bytes_per_second * 1e-9, 2) << " GB/s; "
         << speed_words(timing.ratio) << ' ' << timing.baseline << "\n  ("
         << percent(timing.bandwidth_fraction) << " of the bandwidth of " << timing.baseline
         << "; time ratio " << rounded(timing.ratio, 2) << ", between "
         << rounded(timing.ratio_low, 2) << " and " << rounded(timing.ratio_high, 2) << " in "
         << timing.rounds << " rounds)";
    return text.str();
}

} // namespace

/// Calls a function and its baseline in at most `rounds` rounds.
Run Case::time_rounds(const Program& program, const SpeedLimit& limit, const char* function,
                      const Arguments& arguments, std::size_t rounds) {
    wire::CallFunction timed = calls_.request(program, function);
    timed.checked = false;
    timed.rounds = static_cast<int>(rounds);
    timed.seconds = request_seconds;
    timed.baseline = limit.baseline;
    Run run = require_clean(program, calls_.send(program, timed, arguments));
    if (session_.options().sealed && limit.check)
        limit.check(run);
    return run;
}

void Case::time_packed(const Program& program, const SpeedLimit& limit, const char* function,
                       const Arguments& arguments) {
    if (session_.known.fallback != Fallback::none) {
        if (!std::exchange(session_.running.is_unclear, true))
            remark("not measured: labgrind runs the kernels instead of the device");
        return;
    }
    session_.known.background_trials.reset(); // nothing else may run while time is measured
    const MeasuredRounds measured = measure_speed(limit.bound, [&](std::size_t rounds) {
        return rounds_of(time_rounds(program, limit, function, arguments, rounds).seen, rounds);
    });
    report::Timing timing = timing_of(measured, limit);
    timing.name = record_.name + ", against " + limit.baseline_name;
    if (!session_.options().sealed) // there the launches go through the grader
        timing.wall_nanoseconds = measured.call_nanoseconds + measured.host_nanoseconds;
    session_.result().timings.push_back(timing);
    if (measured.judgement == Speed::exceeds)
        fail(program, {.what = limit.too_slow,
                       .details = {describe(timing),
                                   "the allowed time ratio is " + rounded(limit.bound, 2)}});
    remark(describe(timing));
    if (measured.judgement == Speed::unclear)
        session_.running.is_unclear = true;
}

wire::Baseline copy_baseline(std::size_t elements, std::size_t work_group_size) {
    wire::Baseline baseline;
    baseline.program = {"__kernel void copy(__global const float4* from, __global float4* to) {\n"
                        "    to[get_global_id(0)] = from[get_global_id(0)];\n"
                        "}\n",
                        "-cl-std=CL1.2"};
    baseline.kernel = "copy";
    baseline.buffers = {elements * sizeof(float), elements * sizeof(float)};
    baseline.global_size = elements / 4;
    baseline.work_group_size = work_group_size;
    return baseline;
}

} // namespace grader
