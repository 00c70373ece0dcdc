#pragma once

#include "grader/case.hpp"
#include "trials.hpp"

#include <functional>
#include <string>
#include <vector>

/// What the cases of labs 1 to 3 have in common.
namespace reductions {

/// The numbers are those of `Operator` in labs/reduction.hpp. The cases cannot include it: they
/// share no code with what they judge.
enum class Operator : int { sum, minimum, maximum };

/// Hints for the cases of labs 1 to 3.
grader::Hint group_sizes_hint();
grader::Hint millions_hint();
grader::Hint floats_hint();
grader::Hint minimum_hint();
grader::Hint maximum_hint();

/// "sum", "minimum", "maximum".
std::string name_of(Operator op);

/// The kernel file `file` built for `op`.
grader::Program program_for(const std::string& file, Operator op);
/// The build options for all three operators.
std::vector<std::string> all_options();

/// What changes no result: 0, or an infinity.
double identity(Operator op);

/// `values` reduced in double precision, in their order.
double reference(Operator op, const std::vector<float>& values);

/// One reduction by the lab under test, with the checks that all labs share.
using Reduce = std::function<float(grader::Case&, const grader::Program&, Operator,
                                   const std::vector<float>&, std::size_t work_group_size)>;

/// A lab as these checks see it.
struct Lab {
    std::string file;   ///< its kernel file
    std::string kernel; ///< the kernel to look at if a result is wrong; "" if there are several
    std::size_t lanes = 1;
    Reduce reduce;
};

/// Lets the host combine one float per group of `elements_per_group` elements of `n` in later
/// calls.
void let_host_combine(grader::Case& test, std::size_t n, std::size_t elements_per_group);

/// Lets later failures say what is wrong with a launch of `kernel`, which reduces `n` elements to one
/// float per group.
void explain_launch(grader::Case& test, const std::string& kernel, std::size_t n,
                    std::size_t work_group_size, std::size_t lanes);

/// What the host does wrong that returns `got`, although it has read back the right numbers: the result,
/// or those of the groups.
std::string mistake_of_host(const std::vector<float>& read, Operator op, double got);

/// Ends the case with a failure unless `got` is the reduction of `values`. `allowed` is the error
/// bound, 0 where every order gives the exact result.
void check_result(grader::Case& test, const Lab& under_test, Operator op,
                  const std::vector<float>& values, double got, double allowed,
                  std::size_t work_group_size);

/// Whole numbers of `n` elements must add up exactly.
void check_whole_numbers(grader::Case& test, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size);

/// Floats that round must add up within the bound for their number.
void check_random_floats(grader::Case& test, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size);

/// Whole numbers of both signs, reduced exactly.
void check_signs(grader::Case& test, const Lab& under_test, Operator op, std::size_t n,
                 std::size_t work_group_size);

/// Minimum or maximum, with the extreme element first, last, at a group's edge and anywhere.
void check_extremes(grader::Case& test, const Lab& under_test, Operator op, std::size_t n,
                    std::size_t work_group_size);

/// Ends the case with a failure unless sums are exact with every work-group size that the device
/// allows for `kernel`.
void check_every_group_size(grader::Case& test, const Lab& under_test, const std::string& kernel);

/// Sums of up to 2^24 and more elements, in groups as large as the device allows and in small ones.
void check_millions(grader::Case& test, const Lab& under_test, const std::string& kernel);

/// Small reductions that exercise everything in a kernel, for the analysis.
void check_small(grader::Case& test, const Lab& under_test, const std::string& kernel);

/// Sums that are small enough to be drawn.
Examples examples(const Lab& under_test, const std::vector<SmallTrial>& trials);

/// What a kernel that sums each group should do, see grader::LabInfo.
grader::Effect effect(const Lab& under_test);

/// Ends the case with a failure if one work-item does most of a group's additions, or if elements
/// are not loaded in whole vectors of the lab's lanes.
void check_shared_work(grader::Case& test, const Lab& under_test, const std::string& kernel);

/// Times sums against a copy for information, and against a scalar tree with `bound`. Wrong results
/// are not timed.
void check_time(grader::Case& test, const Lab& under_test, const std::string& kernel, double bound,
                const std::function<void(const grader::SpeedLimit&, const std::vector<float>&,
                                         std::size_t work_group_size)>& time);

} // namespace reductions
