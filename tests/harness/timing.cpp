#include "grader/timing.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>

using grader::judge;
using grader::Speed;

namespace {

/// `beyond` ratios far above the bound of 1.5 mixed into `rounds` of them.
std::vector<double> ratios(std::size_t rounds, std::size_t beyond) {
    std::vector<double> values(rounds, 1.0);
    for (std::size_t i = 0; i < beyond; ++i)
        values[(i * 7) % rounds] = 2.0 + static_cast<double>(i);
    return values;
}

Speed judge_of(std::size_t rounds, std::size_t beyond) {
    const auto values = ratios(rounds, beyond);
    REQUIRE(std::count_if(values.begin(), values.end(), [](double v) { return v > 1.5; }) ==
            static_cast<std::ptrdiff_t>(beyond));
    return judge(values, 1.5);
}

} // namespace

TEST_CASE("the median is the middle one, in whatever order they come") {
    CHECK(grader::median({}) == 0);
    CHECK(grader::median({4}) == 4);
    CHECK(grader::median({3, 1, 2}) == 2);
    CHECK(grader::median({5, 5, 1, 1, 5}) == 5);
    CHECK(grader::median({9, -1, 4, 0, 1000}) == 4);
    const double of_two = grader::median({1, 2});
    CHECK(of_two >= 1);
    CHECK(of_two <= 2);
}

TEST_CASE("a few rounds can hold but not exceed") {
    CHECK(judge({}, 1.5) == Speed::unclear);
    CHECK(judge_of(11, 0) == Speed::holds);
    CHECK(judge_of(11, 1) == Speed::holds);
    CHECK(judge_of(11, 2) == Speed::unclear);
    CHECK(judge_of(11, 11) == Speed::unclear);
    CHECK(judge_of(100, 100) == Speed::unclear);
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

TEST_CASE("a ratio on the bound is within it") {
    CHECK(judge(std::vector<double>(11, 1.5), 1.5) == Speed::holds);
    CHECK(judge(std::vector<double>(101, 1.5), 1.5) == Speed::holds);
    CHECK(judge(std::vector<double>(101, 1.5 + 1e-12), 1.5) == Speed::exceeds);
}

TEST_CASE("infinite ratios are beyond every bound") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(judge(std::vector<double>(101, infinity), 1.5) == Speed::exceeds);
}
