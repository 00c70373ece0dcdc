#include "grader/timing.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>

using grader::judge;
using grader::MeasuredRounds;
using grader::Speed;

namespace {

/// `rounds` ratios, of which `beyond` are far above the bound of 1.5.
std::vector<double> ratios(std::size_t rounds, std::size_t beyond) {
    std::vector<double> values(rounds, 1.0);
    for (std::size_t i = 0; i < beyond; ++i)
        values[(i * 7) % rounds] = 2.0 + static_cast<double>(i);
    return values;
}

Speed judge_of(std::size_t rounds, std::size_t beyond) {
    const auto values = ratios(rounds, beyond);
    REQUIRE(std::ranges::count_if(values, [](double v) { return v > 1.5; }) ==
            static_cast<std::ptrdiff_t>(beyond));
    return judge(values, 1.5);
}

/// A device whose rounds all have the same ratio, and what it was asked for.
struct FakeDevice {
    double ratio = 1;
    double seconds_per_round = 0.01;
    std::size_t most = 1000; ///< rounds per request
    std::vector<std::size_t> asked = {};

    MeasuredRounds measure(std::size_t rounds) {
        asked.push_back(rounds);
        const std::size_t count = std::min(rounds, most);
        return {.ratios = std::vector<double>(count, ratio),
                .seconds = seconds_per_round * static_cast<double>(count),
                .call_nanoseconds = static_cast<double>(asked.size())};
    }
};

MeasuredRounds measured_on(FakeDevice& device, double bound) {
    return grader::measure_speed(
        bound, [&](std::size_t rounds) { return device.measure(rounds); },
        std::chrono::milliseconds(0));
}

} // namespace

TEST_CASE("the median is the middle value, in any order") {
    CHECK(grader::median({}) == 0);
    CHECK(grader::median({4}) == 4);
    CHECK(grader::median({3, 1, 2}) == 2);
    CHECK(grader::median({5, 5, 1, 1, 5}) == 5);
    CHECK(grader::median({9, -1, 4, 0, 1000}) == 4);
    const double of_two = grader::median({1, 2});
    CHECK(of_two >= 1);
    CHECK(of_two <= 2);
}

TEST_CASE("a few rounds can hold but hardly exceed") {
    CHECK(judge({}, 1.5) == Speed::unclear);
    CHECK(judge_of(11, 0) == Speed::holds);
    CHECK(judge_of(11, 1) == Speed::holds);
    CHECK(judge_of(11, 2) == Speed::unclear);
    CHECK(judge_of(11, 11) == Speed::unclear);
    CHECK(judge_of(23, 23) == Speed::unclear);
}

TEST_CASE("half a batch exceeds if a sign test finds enough rounds beyond the bound") {
    CHECK(judge_of(24, 24) == Speed::exceeds);
    CHECK(judge_of(grader::proving_rounds, grader::proving_rounds) == Speed::exceeds);
    CHECK(judge_of(grader::proving_rounds - 1, grader::proving_rounds - 1) == Speed::unclear);
    CHECK(judge_of(24, 23) == Speed::unclear);
    CHECK(judge_of(85, 65) == Speed::exceeds);
    CHECK(judge_of(85, 64) == Speed::unclear);
}

TEST_CASE("eleven rounds exceed if each is beyond twice the bound") {
    for (const std::size_t rounds : {11, 12, 23}) {
        CAPTURE(rounds);
        std::vector<double> far(rounds, 3.01);
        CHECK(judge(far, 1.5) == Speed::exceeds);
        for (const double one : {3.0, 1.51, 1.0}) {
            far[rounds / 2] = one;
            CHECK(judge(far, 1.5) == Speed::unclear);
        }
    }
    CHECK(judge(std::vector<double>(10, 3.01), 1.5) == Speed::unclear);
    CHECK(judge(std::vector<double>(10, 14.9), 1.5) == Speed::unclear);
}

TEST_CASE("three rounds exceed if each is beyond ten times the bound") {
    CHECK(judge(std::vector<double>(2, 100), 1.5) == Speed::unclear);
    CHECK(judge(std::vector<double>(3, 15.1), 1.5) == Speed::exceeds);
    CHECK(judge({15.1, 15.1, 15}, 1.5) == Speed::unclear);
}

TEST_CASE("nothing is beyond a missing bound") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(judge(std::vector<double>(11, 1e9), infinity) == Speed::holds);
}

TEST_CASE("a full batch exceeds with 75 rounds beyond the bound") {
    CHECK(judge_of(101, 0) == Speed::holds);
    CHECK(judge_of(101, 50) == Speed::holds);
    CHECK(judge_of(101, 51) == Speed::unclear);
    CHECK(judge_of(101, 74) == Speed::unclear);
    CHECK(judge_of(101, 75) == Speed::exceeds);
    CHECK(judge_of(101, 101) == Speed::exceeds);
}

TEST_CASE("a long batch exceeds with 249 rounds beyond the bound") {
    CHECK(judge_of(401, 200) == Speed::holds);
    CHECK(judge_of(401, 201) == Speed::unclear);
    CHECK(judge_of(401, 248) == Speed::unclear);
    CHECK(judge_of(401, 249) == Speed::exceeds);
    CHECK(judge_of(401, 401) == Speed::exceeds);
}

TEST_CASE("a ratio equal to the bound is within it") {
    CHECK(judge(std::vector<double>(11, 1.5), 1.5) == Speed::holds);
    CHECK(judge(std::vector<double>(101, 1.5), 1.5) == Speed::holds);
    CHECK(judge(std::vector<double>(101, 1.5 + 1e-12), 1.5) == Speed::exceeds);
}

TEST_CASE("infinite ratios are beyond every bound") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(judge(std::vector<double>(101, infinity), 1.5) == Speed::exceeds);
}

TEST_CASE("a fast call is measured once") {
    for (const double bound : {1.5, std::numeric_limits<double>::infinity()}) {
        FakeDevice device;
        const MeasuredRounds measured = measured_on(device, bound);
        CHECK(measured.judgement == Speed::holds);
        CHECK(measured.ratios.size() == grader::first_rounds);
        CHECK(device.asked == std::vector<std::size_t>{11});
    }
}

TEST_CASE("a slow call is measured in two batches, until each is proof") {
    FakeDevice device{.ratio = 1.6};
    const MeasuredRounds measured = measured_on(device, 1.5);
    CHECK(measured.judgement == Speed::exceeds);
    CHECK(device.asked == std::vector<std::size_t>{11, 90, 11, 90});
    CHECK(measured.ratios.size() == 101);
    CHECK(measured.seconds == doctest::Approx(1.01));
    CHECK(measured.call_nanoseconds == 4); // of the last request

    FakeDevice extreme{.ratio = 16};
    CHECK(measured_on(extreme, 1.5).judgement == Speed::exceeds);
    CHECK(extreme.asked == std::vector<std::size_t>{11, 11});
}

TEST_CASE("a batch that is slow by chance proves nothing") {
    FakeDevice device{.ratio = 16};
    const MeasuredRounds measured = grader::measure_speed(
        1.5,
        [&](std::size_t rounds) {
            MeasuredRounds some = device.measure(rounds);
            device.ratio = 1;
            return some;
        },
        std::chrono::milliseconds(0));
    CHECK(measured.judgement == Speed::unclear);
    CHECK(measured.ratios == std::vector<double>(11, 1.0));
}

TEST_CASE("a batch of slow rounds is as short as proof can be") {
    FakeDevice device{.ratio = 1.6, .seconds_per_round = 10};
    CHECK(measured_on(device, 1.5).judgement == Speed::exceeds);
    CHECK(device.asked == std::vector<std::size_t>{11, 13, 11, 13});
}

TEST_CASE("a runner that measures fewer rounds than it is asked for is asked again") {
    FakeDevice device{.ratio = 1.6, .most = 5};
    const MeasuredRounds measured = measured_on(device, 1.5);
    CHECK(measured.judgement == Speed::exceeds);
    CHECK(measured.ratios.size() == 101);
    CHECK(device.asked.at(1) == 6);
    CHECK(device.asked.size() == 42);
}
