#pragma once

#include <cstddef>

namespace grader {

/// How far a sum of floats can be from the true sum, when `chain` is the largest number of
/// additions that any one element passes through and `magnitudes` is the sum of the elements'
/// absolute values: gamma_chain * magnitudes, with gamma_k = k u / (1 - k u) and u = 2^-24 for
/// rounding to nearest. N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition,
/// lemma 3.1 and section 4.2; OpenCL C 1.2, section 7.4, asks for correctly rounded additions.
/// Infinite where the formula says nothing (chain >= 2^24).
double summation_bound(std::size_t chain, double magnitudes);

} // namespace grader
