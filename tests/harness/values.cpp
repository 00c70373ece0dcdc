#include "grader/values.hpp"

#include "helpers.hpp"
#include "wire/messages.hpp"

#include <bit>
#include <doctest/doctest.h>
#include <limits>

using helpers::has;

TEST_CASE("a NaN with the bits of uninitialized memory differs from others") {
    const auto filling = double{std::bit_cast<float>(wire::poison)};
    for (const double nan : {filling, -filling, filling + 1}) {
        CHECK(grader::is_poisoned_nan(nan));
        CHECK(has(grader::compare_values(5, nan, 0), "an index outside its buffer"));
        CHECK(grader::hints_for_value(5, nan));
    }
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_FALSE(grader::is_poisoned_nan(infinity - infinity));
    CHECK(has(grader::compare_values(5, infinity - infinity, 0), "infinity minus infinity"));
    CHECK_FALSE(grader::hints_for_value(5, infinity - infinity));
    CHECK_FALSE(grader::is_poisoned_nan(5));
}
