#include "grader/inputs.hpp"
#include "grader/bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <stdexcept>

using grader::random_for;

namespace {

constexpr std::size_t exact_limit = std::size_t{1} << 24;

std::uint64_t fresh_seed() { return std::random_device()(); }

bool contains(const std::vector<std::size_t>& lengths, std::size_t length) {
    return std::ranges::find(lengths, length) != lengths.end();
}

/// Whether the lengths go up, and only `block` stays the same once.
bool repeats_only(std::size_t block, std::vector<std::size_t> lengths) {
    const auto repeated = std::adjacent_find(lengths.begin(), lengths.end());
    if (repeated == lengths.end() || *repeated != block)
        return false;
    lengths.erase(repeated);
    return std::adjacent_find(lengths.begin(), lengths.end(), std::greater_equal<>()) ==
           lengths.end();
}

} // namespace

TEST_CASE("floats of all kinds appear early") {
    const std::uint64_t seed = fresh_seed();
    CAPTURE(seed);
    auto random = random_for(seed, "kinds");
    const auto values = grader::floats_of_all_kinds(random, 300);
    const auto has = [&](const std::function<bool(float)>& is_so) {
        return std::ranges::any_of(values, is_so);
    };
    REQUIRE(values.size() == 300);
    CHECK(has([](float value) { return value == 0; }));
    CHECK(has([](float value) { return value < 0; }));
    CHECK(has([](float value) { return value > 1e6F; }));
    CHECK(has([](float value) { return value > 0 && value < 1e-4F; }));
    CHECK(has([](float value) { return value != std::floor(value); }));
}

TEST_CASE("integers add up without rounding") {
    const std::uint64_t seed = fresh_seed();
    CAPTURE(seed);
    for (const std::size_t n : {1U, 2U, 3U, 1000U, 16777U, 16778U, 65537U, 1U << 20, 3000000U,
                                (1U << 22) - 1, 1U << 22}) {
        CAPTURE(n);
        auto random = random_for(seed, "whole");
        const auto values = grader::whole_numbers(random, n);
        REQUIRE(values.size() == n);
        std::size_t not_whole = 0;
        std::size_t not_positive = 0;
        double sum = 0;
        for (const float value : values) {
            not_whole += value != std::floor(value);
            not_positive += !(value > 0);
            sum += std::fabs(static_cast<double>(value));
        }
        CHECK(not_whole == 0);
        CHECK(not_positive == 0);
        CHECK(sum <= static_cast<double>(exact_limit));
    }
}

TEST_CASE("integers are not all equal") {
    const std::uint64_t seed = fresh_seed();
    CAPTURE(seed);
    for (const std::size_t n : {1000U, 1U << 22}) {
        CAPTURE(n);
        auto random = random_for(seed, "variety");
        const auto values = grader::whole_numbers(random, n);
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        CHECK(*least < *most);
    }
}

TEST_CASE("very many integers are small, of both signs and never 0") {
    const std::uint64_t seed = fresh_seed();
    CAPTURE(seed);
    for (const std::size_t n : {(std::size_t{1} << 22) + 1, exact_limit}) {
        CAPTURE(n);
        auto random = random_for(seed, "many");
        const auto values = grader::whole_numbers(random, n);
        REQUIRE(values.size() == n);
        std::array<std::size_t, 7> seen{};
        std::size_t others = 0;
        double total = 0;
        double worst = 0;
        for (const float value : values) {
            if (value == std::floor(value) && std::fabs(value) <= 3)
                ++seen.at(static_cast<std::size_t>(value + 3));
            else
                ++others;
            total += static_cast<double>(value);
            worst = std::max(worst, std::fabs(total));
        }
        CHECK(others == 0);
        CHECK(seen[3] == 0);
        for (const std::size_t i : {0, 1, 2, 4, 5, 6}) {
            CAPTURE(i);
            CHECK(seen.at(i) > n / 7);
            CHECK(seen.at(i) < n / 5);
        }
        CHECK(worst <= static_cast<double>(exact_limit));
    }
}

TEST_CASE("a seed and a name reproduce the same numbers, and others give different ones") {
    const std::uint64_t seed = fresh_seed();
    CAPTURE(seed);
    const auto values = [](std::uint64_t from, const std::string& name) {
        auto random = random_for(from, name);
        return grader::whole_numbers(random, 100);
    };
    const auto first = values(seed, "a case");
    CHECK(first == values(seed, "a case"));
    CHECK(first != values(seed, "b case"));
    CHECK(first != values(seed, "a case "));
    CHECK(first != values(seed, ""));
    CHECK(first != values(seed + 1, "a case"));
    // The upper half of a seed counts, too.
    CHECK(first != values(seed ^ (std::uint64_t{1} << 32), "a case"));
    CHECK(first != values(seed ^ (std::uint64_t{1} << 63), "a case"));

    auto once = random_for(seed, "floats");
    auto again = random_for(seed, "floats");
    CHECK(grader::random_floats(once, 100) == grader::random_floats(again, 100));
    CHECK(grader::random_floats(once, 100) == grader::random_floats(again, 100));
}

TEST_CASE("random floats are within 1 and not close to 0") {
    const std::uint64_t seed = fresh_seed();
    CAPTURE(seed);
    auto random = random_for(seed, "floats");
    const auto values = grader::random_floats(random, 200000);
    REQUIRE(values.size() == 200000);
    std::size_t outside = 0;
    std::size_t negative = 0;
    float largest = 0;
    float smallest = 1;
    for (const float value : values) {
        const float magnitude = std::fabs(value);
        outside += !(magnitude >= 0x1p-10F && magnitude <= 1);
        negative += std::signbit(value);
        largest = std::max(largest, magnitude);
        smallest = std::min(smallest, magnitude);
    }
    CHECK(outside == 0);
    CHECK(negative > 95000);
    CHECK(negative < 105000);
    CHECK(largest > 0.99F);
    CHECK(smallest < 0.01F);
    CHECK(grader::random_floats(random, 0).empty());
}

TEST_CASE("the extreme is only at its intended place") {
    const std::uint64_t seed = fresh_seed();
    CAPTURE(seed);
    for (const std::size_t n : {1U, 2U, 3U, 64U, 1000U, 100001U}) {
        for (const std::size_t position : {std::size_t{0}, n / 2, n - 1}) {
            CAPTURE(n);
            CAPTURE(position);
            auto random = random_for(seed, "extreme");
            const auto low = grader::with_minimum_at(random, n, position);
            REQUIRE(low.size() == n);
            const float least = low[position];
            CHECK(std::ranges::count_if(low, [&](float v) { return v <= least; }) == 1);
            CHECK(least > 0);
            CHECK(std::ranges::all_of(low, [](float v) {
                return v == std::floor(v) && v <= static_cast<float>(exact_limit);
            }));

            const auto high = grader::with_maximum_at(random, n, position);
            REQUIRE(high.size() == n);
            const float most = high[position];
            CHECK(std::ranges::count_if(high, [&](float v) { return v >= most; }) == 1);
            CHECK(most < 0);
        }
    }
    auto random = random_for(seed, "outside");
    CHECK_THROWS_AS(grader::with_minimum_at(random, 3, 3), std::out_of_range);
    CHECK_THROWS_AS(grader::with_maximum_at(random, 0, 0), std::out_of_range);
}

TEST_CASE("lengths around a block include the lengths at which kernels fail") {
    for (const std::size_t block : {1U, 2U, 3U, 8U, 16U, 32U, 64U, 100U, 128U, 256U, 1024U}) {
        CAPTURE(block);
        const std::size_t most = std::size_t{1} << 21;
        const auto lengths = grader::lengths_around(block, most);
        CHECK(repeats_only(block, lengths));
        CHECK_FALSE(contains(lengths, 0));
        REQUIRE_FALSE(lengths.empty());
        CHECK(lengths.front() == 1);
        CHECK(lengths.back() <= most);
        for (const std::size_t length : {block - 1, block, block + 1, 2 * block - 1, 2 * block,
                                         2 * block + 1, block * block, block * block + 1}) {
            CAPTURE(length);
            CHECK(contains(lengths, length) == (length != 0));
        }
        for (const std::size_t length : {1U, 2U, 31U, 32U, 33U, 37U, 251U, 4093U, 65537U})
            CHECK(contains(lengths, length));
    }
}

TEST_CASE("lengths around a block stop at the maximum") {
    for (const std::size_t most : {1U, 2U, 63U, 64U, 65U, 4096U, 4097U}) {
        CAPTURE(most);
        const auto lengths = grader::lengths_around(64, most);
        REQUIRE_FALSE(lengths.empty());
        CHECK(repeats_only(64, lengths) == (most >= 64));
        CHECK(lengths.back() <= most);
        CHECK(contains(lengths, most)); // each of these is a length around the block
    }
    CHECK(grader::lengths_around(64, 0).empty());
    CHECK(grader::lengths_around(0, 100).back() <= 100);
    CHECK_FALSE(contains(grader::lengths_around(64, 4095), 4096));
}

TEST_CASE("powers of two") {
    using Lengths = std::vector<std::size_t>;
    CHECK(grader::powers_of_two(1, 16) == Lengths{1, 2, 4, 8, 16});
    CHECK(grader::powers_of_two(3, 17) == Lengths{4, 8, 16});
    CHECK(grader::powers_of_two(16, 16) == Lengths{16});
    CHECK(grader::powers_of_two(17, 31).empty());
    CHECK(grader::powers_of_two(0, 1) == Lengths{1});
    CHECK(grader::powers_of_two(1, 0).empty());
}

TEST_CASE("the bound of a sum is gamma_n times the sum of the magnitudes") {
    CHECK(grader::summation_bound(0, 1e9) == 0);
    CHECK(grader::summation_bound(5, 0) == 0);
    // gamma_1 = 2^-24 / (1 - 2^-24) = 1 / (2^24 - 1)
    CHECK(grader::summation_bound(1, 1) == doctest::Approx(1.0 / 16777215.0).epsilon(1e-14));
    // gamma_k = k / (2^24 - k)
    CHECK(grader::summation_bound(1000, 1) == doctest::Approx(1000.0 / 16776216.0).epsilon(1e-14));
    CHECK(grader::summation_bound(1000, 2.5) ==
          doctest::Approx(2500.0 / 16776216.0).epsilon(1e-14));
    CHECK(grader::summation_bound(std::size_t{1} << 23, 1) == 1);
    CHECK(grader::summation_bound(3 * (std::size_t{1} << 22), 1) == 3);
    CHECK(grader::summation_bound(exact_limit - 1, 1) == 16777215);
    CHECK(std::isinf(grader::summation_bound(exact_limit, 1)));
    CHECK(std::isinf(grader::summation_bound(exact_limit + 1, 1)));
    CHECK(std::isinf(grader::summation_bound(std::numeric_limits<std::size_t>::max(), 1)));
    CHECK(grader::summation_bound(exact_limit, 1) > 0);
}

TEST_CASE("sums of random floats stay within their bound unless an element is lost") {
    const std::uint64_t seed = fresh_seed();
    CAPTURE(seed);
    for (const std::size_t n : {2U, 10U, 1000U, 100000U}) {
        CAPTURE(n);
        auto random = random_for(seed, "sum");
        const auto values = grader::random_floats(random, n);
        float sum = 0;
        long double exact = 0;
        double magnitudes = 0;
        for (const float value : values) {
            sum += value;
            exact += static_cast<long double>(value);
            magnitudes += std::fabs(static_cast<double>(value));
        }
        const double bound = grader::summation_bound(n - 1, magnitudes);
        CHECK(static_cast<double>(std::fabs(static_cast<long double>(sum) - exact)) <= bound);
        if (n <= 1000) { // gamma_999 * 500 < 2^-5, less than most elements
            const auto largest = std::ranges::max_element(
                values, [](float a, float b) { return std::fabs(a) < std::fabs(b); });
            const long double without = exact - static_cast<long double>(*largest);
            CHECK(static_cast<double>(std::fabs(static_cast<long double>(sum) - without)) > bound);
        }
    }
}
