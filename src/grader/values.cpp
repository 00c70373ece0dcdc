#include "grader/values.hpp"

#include "grader/explain.hpp"
#include "grader/hints.hpp"
#include "wire/messages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace grader {
namespace {

/// How many times the guard value explains the difference of `got` from `expected`; 0 if it does
/// not.
double strays_in(double expected, double got) {
    const double error = got - expected;
    const double strays = std::round(error / wire::guard_value);
    const double rounding = 1e-5 * std::fabs(got);
    const bool is_conclusive = rounding < 0.01 * wire::guard_value;
    return is_conclusive && std::fabs(error - strays * wire::guard_value) <= rounding ? strays : 0;
}

} // namespace

std::vector<std::string> find_mistakes(double got, const std::vector<Suspect>& suspects) {
    std::vector<std::string> found;
    for (const Suspect& suspect : suspects) {
        if (suspect.value == got && std::ranges::find(found, suspect.mistake) == found.end())
            found.push_back(suspect.mistake);
    }
    return found;
}

std::optional<Hints> hints_for_mistake(double got, const std::vector<Suspect>& suspects) {
    std::optional<Hints> hints;
    for (const Suspect& suspect : suspects) {
        if (suspect.value != got)
            continue;
        if (hints || suspect.hints.empty())
            return std::nullopt;
        hints = suspect.hints;
    }
    return hints;
}

std::optional<Hints> hints_for_value(double expected, double got) {
    if (is_poisoned_nan(got) || got == double{wire::guard_value} || strays_in(expected, got) > 0)
        return hints_for_strange_memory();
    return std::nullopt;
}

bool is_poison(float value) { return wire::is_filling(std::bit_cast<std::uint32_t>(value)); }

bool is_poisoned_nan(double value) {
    constexpr std::uint64_t two_words = std::uint64_t{wire::poison} << 32 | wire::poison;
    return std::isnan(value) && (std::bit_cast<std::uint64_t>(std::fabs(value)) == two_words ||
                                 is_poison(std::fabs(static_cast<float>(value))));
}

namespace {

/// What compilers put into uninitialized variables of the host code: bytes 0xfe (GCC) or 0xaa (Clang).
constexpr std::array uninitialized_variables{wire::word_of(wire::heap_byte), 0xaaaaaaaaU};

bool has_bits_of(float got, double expected) {
    constexpr double most = 0x1p31;
    return expected != 0 && std::fabs(expected) < most && expected == std::trunc(expected) &&
           std::bit_cast<std::int32_t>(got) == static_cast<std::int32_t>(expected);
}

/// What the bits of a wrong number suggest; "" for nothing.
std::string explain_bits(double expected, double got) {
    const auto narrow = static_cast<float>(got);
    if (narrow == got &&
        std::ranges::find(uninitialized_variables, std::bit_cast<std::uint32_t>(narrow)) !=
            uninitialized_variables.end())
        return "an uninitialized variable of your host code holds this number";
    if (narrow == got && has_bits_of(narrow, expected))
        return "it has the bits of the int " + show(expected) +
               ": one side uses ints, and the other floats";
    const auto right = static_cast<float>(expected);
    if (expected != 0 && right == expected && got == std::bit_cast<std::int32_t>(right))
        return "it has the bits of the float " + show(expected) +
               ": one side uses floats, and the other ints";
    return {};
}

} // namespace

std::string compare_values(double expected, double got, double allowed,
                           const std::string& cause_of_infinity) {
    const bool look_equal = expected != got && show(expected) == show(got);
    const int digits = look_equal ? std::numeric_limits<double>::max_digits10
                                  : std::numeric_limits<float>::max_digits10;
    std::string text = "expected " + show(expected, digits);
    if (allowed > 0)
        text += " (allowed error: " + show(allowed) + ")";
    text += ", got " + show(got, digits);
    if (std::isnan(got))
        return text +
               (is_poisoned_nan(got)
                    ? ": it was computed from uninitialized memory, or from an index outside "
                      "its buffer"
                    : ": it was computed from uninitialized memory, or by an undefined operation, "
                      "such as infinity minus infinity");
    if (got == double{wire::guard_value})
        return text +
               ": the harness fills uninitialized memory and the memory around each buffer with "
               "this number, so an element was never written, or an index is too large or negative";
    if (const double strays = strays_in(expected, got); strays > 0)
        return text + ": too large by " + show(strays) + " times " + show(wire::guard_value) +
               ", the number with which the harness fills uninitialized memory and the memory "
               "around each buffer";
    if (std::isinf(got) && std::isfinite(expected))
        return text + ": " + cause_of_infinity;
    if (const std::string bits = explain_bits(expected, got); !bits.empty())
        return text + ": " + bits;
    const double error = std::fabs(got - expected);
    constexpr double almost = 0x1p-20;
    if (allowed == 0 && expected == std::floor(expected) && got != std::floor(got) &&
        error < almost * std::fabs(expected))
        return text + ": almost right, but every result here is exact: does your code divide, or "
                      "compute with fractions?";
    if (allowed == 0)
        return text + ": a logic error, not rounding; every result here is exact";
    // Too low a precision is off by a few bounds and by a small part of the value.
    const bool small = error < 8 * allowed && error < 0.01 * std::max(1.0, std::fabs(expected));
    return text + (small ? ": perhaps rounding; is a sum stored in a type with too few digits?"
                         : ": a logic error; rounding is never this large");
}

} // namespace grader
