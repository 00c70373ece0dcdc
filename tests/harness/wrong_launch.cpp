#include "grader/wrong_launch.hpp"

#include <doctest/doctest.h>
#include <optional>
#include <vector>

using grader::LaunchCheck;
using grader::LaunchWords;
using grader::Words;

namespace {

/// Each launch of "add" must leave 1 more in argument 0 than it gets; nothing is known about others.
std::optional<Words> one_more(const LaunchWords& launch) {
    if (launch.kernel != "add")
        return std::nullopt;
    Words right = launch.given;
    for (std::uint32_t& word : right.at(0))
        ++word;
    return right;
}

LaunchWords launch(const char* kernel, const std::vector<std::uint32_t>& given,
                   const std::vector<std::uint32_t>& left) {
    return {.kernel = kernel, .given = {{0, given}}, .left = {{0, left}}};
}

} // namespace

TEST_CASE("launches that leave what they must are not changed") {
    LaunchCheck check(one_more);
    CHECK_FALSE(check.knows_all());
    LaunchWords right = launch("add", {1, 2}, {2, 3});
    check.check(right);
    CHECK_FALSE(check.first_wrong());
    CHECK(check.knows_all());
    CHECK(right.left.at(0) == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("the first wrong word is known, and every launch of its kernel is corrected") {
    LaunchCheck check(one_more);
    LaunchWords right = launch("add", {1, 2}, {2, 3});
    LaunchWords wrong = launch("add", {2, 3}, {3, 9});
    LaunchWords next = launch("add", {3, 4}, {0, 0});
    for (LaunchWords* const one : {&right, &wrong, &next})
        check.check(*one);
    REQUIRE(check.first_wrong());
    CHECK(check.first_wrong()->launch == 2);
    CHECK(check.first_wrong()->index == 1);
    CHECK(check.first_wrong()->before == 3);
    CHECK(check.first_wrong()->after == 9);
    CHECK(check.first_wrong()->right == 4);
    CHECK(wrong.left.at(0) == std::vector<std::uint32_t>{3, 4});
    CHECK(next.left.at(0) == std::vector<std::uint32_t>{4, 5});
}

TEST_CASE(
    "launches of other kernels are not corrected, so that a right result means only one is wrong") {
    const auto all_zero = [](const LaunchWords& launch) {
        return std::optional<Words>{{{0, std::vector<std::uint32_t>(launch.given.at(0).size())}}};
    };
    LaunchCheck check(all_zero);
    LaunchWords first = launch("a", {1}, {1});
    LaunchWords second = launch("b", {1}, {1});
    check.check(first);
    check.check(second);
    CHECK(first.left.at(0).front() == 0);
    CHECK(second.left.at(0).front() == 1);
    CHECK(check.first_wrong()->kernel == "a");
}

TEST_CASE("only the words that must be there are compared, and -0 is 0") {
    const auto zero_first = [](const LaunchWords& /*launch*/) {
        return std::optional<Words>{{{0, {0}}}};
    };
    LaunchCheck check(zero_first);
    LaunchWords one = launch("a", {1, 1}, {0x80000000U, 7});
    check.check(one);
    CHECK_FALSE(check.first_wrong());
}

TEST_CASE("a kernel that has no such buffer leaves the check without a verdict") {
    const auto other_buffer = [](const LaunchWords& /*launch*/) {
        return std::optional<Words>{{{1, {5}}}};
    };
    LaunchCheck check(other_buffer);
    LaunchWords one = launch("a", {1}, {1});
    check.check(one);
    CHECK_FALSE(check.first_wrong());
    CHECK_FALSE(check.knows_all());
}

TEST_CASE("a launch of which nothing is known leaves the check without a verdict") {
    LaunchCheck check(one_more);
    LaunchWords other = launch("scatter", {1}, {1});
    check.check(other);
    CHECK_FALSE(check.knows_all());
}
