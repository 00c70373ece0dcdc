#pragma once

#include "grader/case.hpp"

#include <string>
#include <vector>

/// What the cases of labs 4, 5 and 8 have in common.
namespace scans {

enum class Kind { inclusive, exclusive };

/// A lab as these checks see it.
struct Lab {
    grader::Program program;
    const char* function = "";
    Kind kind = Kind::inclusive;
    std::size_t elements_per_item = 1; ///< so many elements a work-item takes
    /// Whether the lab is one launch over tiles of any size: then the function takes the elements of
    /// a work-item as its last argument, and local memory is the kernel's own affair.
    bool single_pass = false;

    /// The elements that stand together in a message.
    const char* block() const { return single_pass ? "tile" : "group"; }
};

/// Scans `values`. Ends the case with a failure if the result has another length, or if the launches
/// do not fit the lab.
grader::Run scan(grader::Case& lab, const Lab& under_test, const std::vector<float>& values,
                 std::size_t work_group_size);

/// The same, and ends the case with a failure unless every element is exact, as those of whole
/// numbers are.
grader::Run check_exact(grader::Case& lab, const Lab& under_test, const std::vector<float>& values,
                        std::size_t work_group_size);

/// Scans `n` whole numbers and ends the case with a failure unless every element is exact.
void check_whole_numbers(grader::Case& lab, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size);

/// Scans `n` floats that round; every element must lie within the bound for its own prefix.
void check_random_floats(grader::Case& lab, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size);

/// Scans `n` floats of every kind likewise.
void check_floats_of_all_kinds(grader::Case& lab, const Lab& under_test, std::size_t n,
                               std::size_t work_group_size);

/// Ends the case with a failure unless every element of `got`, the scan of `values`, is exact.
void compare_exactly(grader::Case& lab, const Lab& under_test, const std::vector<float>& values,
                     wire::Span<const float> got, std::size_t work_group_size);

/// Every work-group size that the device allows the kernel scan_groups.
void check_every_group_size(grader::Case& lab, const Lab& under_test);

/// What was launched and read back.
void check_launches(grader::Case& lab, const Lab& under_test);

/// Small scans that show all that the kernels do, for the analysis.
void check_small(grader::Case& lab, const Lab& under_test);

/// Ends the case with a failure if the groups' scans take more additions than the algorithm of the
/// lab, or leave most of them to one work-item.
void check_work(grader::Case& lab, const Lab& under_test);

/// Against a copy, and against a tree for the bound.
void check_time(grader::Case& lab, const Lab& under_test);

} // namespace scans
