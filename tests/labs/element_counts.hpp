#pragma once

/// How often each element counts in a wrong sum: a fact about the student's code, where no known
/// mistake explains the result.

#include "grader/case.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace element_counts {

/// A sum of `values`, right or wrong. It may end the case.
using Sum = std::function<double(const std::vector<float>& values)>;

/// How the elements are shared.
struct Layout {
    std::size_t lanes = 1;     ///< elements of a vector
    std::size_t per_group = 0; ///< elements of a work-group
};

/// Measures how often each element of `values` counts in `sum`, by calls with other values, and returns
/// in words what differs from `right`: "element 12 is missing, and elements 0 to 3 count twice". Of more
/// than 800 elements, it finds only where those that differ begin and end. Returns "" if the counts do not
/// explain `got`, or if there are too many elements.
std::string explain(grader::Case& test, const std::vector<float>& values, double got,
                    const std::function<bool(std::size_t i)>& right, const Layout& layout,
                    const Sum& sum);

/// What is wrong with a sum.
struct WrongSum {
    std::string text; ///< the same as a sentence; "" if it is not known
    std::optional<grader::WrongStep> wrong_step = {}; ///< of the first element with a wrong count
};

/// A sum of the first elements, as in a scan.
struct Prefix {
    std::size_t length = 0; ///< in elements
    std::size_t result = 0; ///< the index of the sum among the results
    /// No step of the usual algorithm replaces a sum by one with fewer elements.
    bool sums_only_grow = false;
};

/// The same as explain() for a sum of the first elements, with the place where one is added twice, or where
/// the sum with a missing one is overwritten.
WrongSum explain_prefix(grader::Case& test, const std::vector<float>& values, double got,
                        const Prefix& prefix, const Layout& layout, const Sum& sum);

/// The same for a sum of all elements. A full group shows more than a few elements.
WrongSum explain_sum(grader::Case& test, const std::vector<float>& values, double got,
                     const Layout& layout, const Sum& sum);

/// Describes `counts`, of which those that are `right` are 1 and the others 0. "" if there is no
/// difference.
std::string describe(const std::vector<int>& counts,
                     const std::function<bool(std::size_t i)>& right, const Layout& layout);

} // namespace element_counts
