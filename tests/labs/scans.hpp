#pragma once

#include "grader/case.hpp"
#include "trials.hpp"

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
    std::size_t elements_per_item = 1; ///< how many elements a work-item takes
    /// Whether the lab is one launch over tiles of any size. If so, the function takes the elements
    /// per work-item as its last argument, and local memory is not checked.
    bool single_pass = false;

    /// The name of a block of elements in messages.
    const char* block() const { return single_pass ? "tile" : "group"; }
};

/// If the next call fails, the message says what the host did wrong.
void explain_host(grader::Case& test, const Lab& under_test, std::size_t n,
                  std::size_t work_group_size);

/// Scans `values`. Ends the case with a failure if the result has a different length or if the
/// launches are wrong for the lab.
grader::Run scan(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                 std::size_t work_group_size);

/// The same, and ends the case with a failure unless every element is exact. `values` must be whole
/// numbers.
grader::Run check_exact(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                        std::size_t work_group_size);

/// Scans `n` whole numbers and ends the case with a failure unless every element is exact.
void check_whole_numbers(grader::Case& test, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size);

/// The same with numbers of both signs.
void check_signs(grader::Case& test, const Lab& under_test, std::size_t n,
                 std::size_t work_group_size);

/// Scans `n` floats that round; every element must lie within the bound for its own prefix.
void check_random_floats(grader::Case& test, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size);

/// The same with `n` floats of every kind.
void check_floats_of_all_kinds(grader::Case& test, const Lab& under_test, std::size_t n,
                               std::size_t work_group_size);

/// Ends the case with a failure unless every element of `got`, the scan of `values`, is exact.
void compare_exactly(grader::Case& test, const Lab& under_test, const std::vector<float>& values,
                     std::span<const float> got, std::size_t work_group_size);

/// The cases that labs 4 and 5 share, and their hints: lengths that fit into one group, lengths of many
/// groups, sums of sums, large inputs, and floats that round.
void check_one_group(grader::Case& test, const Lab& under_test);
void check_lengths(grader::Case& test, const Lab& under_test);
void check_levels(grader::Case& test, const Lab& under_test);
void check_millions(grader::Case& test, const Lab& under_test);
void check_rounding(grader::Case& test, const Lab& under_test);
grader::Hint levels_hint();
grader::Hint group_sizes_hint();
grader::Hint millions_hint();
grader::Hint floats_hint();

/// Scans with every work-group size that the device allows for the kernel scan_groups.
void check_every_group_size(grader::Case& test, const Lab& under_test);

/// Checks what is launched and read back.
void check_launches(grader::Case& test, const Lab& under_test);

/// Small scans that exercise everything in the kernels, for the analysis.
void check_small(grader::Case& test, const Lab& under_test);

/// Scans that are small enough to be drawn.
Examples examples(const Lab& under_test, const std::vector<SmallTrial>& trials);

/// What the kernels should do, see grader::LabInfo.
grader::Effect effect(const Lab& under_test);

/// Ends the case with a failure if the scans of the groups take more additions than the algorithm
/// of the lab, or if one work-item does most of them.
void check_work(grader::Case& test, const Lab& under_test);

/// Times scans against a copy, and against a tree with the bound.
void check_time(grader::Case& test, const Lab& under_test);

} // namespace scans
