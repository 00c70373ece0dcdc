#pragma once

#include "grader/failure.hpp"

#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// Compares numbers that a lab's functions return with the right ones.
namespace grader {

/// A typical mistake and the value that it leads to.
struct Suspect {
    double value;
    std::string mistake;
    Hints hints = {};           ///< for this mistake, if the case's do not fit
    bool is_by_kernel = false;  ///< the kernels' results are wrong, too
    bool is_by_host = false;    ///< the host combines the kernels' results in another way
    bool is_in_padding = false; ///< nothing is wrong if there is no padding, or if it loses
};

/// The mistakes among `suspects` that lead to `got`.
std::vector<std::string> find_mistakes(double got, const std::vector<Suspect>& suspects);

/// The hints for the mistake that leads to `got`, if exactly one does and has its own.
std::optional<Hints> hints_for_mistake(double got, const std::vector<Suspect>& suspects);

/// Whether `value` is one with which uninitialized buffers are filled.
bool is_poison(float value);

/// Whether `value` is a NaN that comes from uninitialized memory: on most processors, the result of an
/// operation with a NaN has its bits.
bool is_poisoned_nan(double value);

/// The lines "expected 5, got 4: ..." for one number. `allowed` is the error bound, 0 if exact.
/// `cause_of_infinity`: what else an infinite number can mean.
std::string compare_values(double expected, double got, double allowed,
                           const std::string& cause_of_infinity =
                               "a division by 0, or a number that is too large for a float");

/// The hints for a wrong number that was computed from uninitialized memory or from outside a
/// buffer. For any other number none are given, so those of the case apply.
std::optional<Hints> hints_for_value(double expected, double got);

} // namespace grader
