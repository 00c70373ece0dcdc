#pragma once

#include "grader/case.hpp"

#include <functional>
#include <string>
#include <vector>

/// What the cases of labs 1 to 3 have in common.
namespace reductions {

/// The numbers are those of `Operator` in labs/reduction.hpp, which the cases cannot include: they
/// share no code with what they judge.
enum class Operator : int { sum, minimum, maximum };

/// "sum", "minimum", "maximum".
std::string name_of(Operator op);

/// The kernel file `file` built for `op`.
grader::Program program_for(const std::string& file, Operator op);
/// The build options of all three.
std::vector<std::string> all_options();

/// `values` reduced in double precision, in their order.
double reference(Operator op, const std::vector<float>& values);

/// One reduction by the lab under test, checked for all that every lab wants.
using Reduce = std::function<float(grader::Case&, const grader::Program&, Operator,
                                   const std::vector<float>&, std::size_t work_group_size)>;

/// A lab as these checks see it.
struct Lab {
    std::string file;   ///< its kernel file
    std::string kernel; ///< the kernel to look at when a result is wrong; "": there are several
    std::size_t lanes = 1;
    Reduce reduce;
};

/// From here on the host may combine what each group of so many elements leaves of `n`: one float.
void let_host_combine(grader::Case& lab, std::size_t n, std::size_t elements_per_group);

/// Ends the case with a failure unless `got` is the reduction of `values`. `allowed` is the error
/// bound, 0 where every order gives the exact result.
void check_result(grader::Case& lab, const Lab& under_test, Operator op,
                  const std::vector<float>& values, double got, double allowed,
                  std::size_t work_group_size);

/// Whole numbers of `n` elements must add up exactly.
void check_whole_numbers(grader::Case& lab, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size);

/// Floats that round must add up within the bound for their number.
void check_random_floats(grader::Case& lab, const Lab& under_test, std::size_t n,
                         std::size_t work_group_size);

/// Minimum or maximum, with the extreme element first, last, at a group's edge and anywhere.
void check_extremes(grader::Case& lab, const Lab& under_test, Operator op, std::size_t n,
                    std::size_t work_group_size);

/// Ends the case with a failure unless sums are exact with every work-group size that the device
/// allows `kernel`.
void check_every_group_size(grader::Case& lab, const Lab& under_test, const std::string& kernel);

/// Sums of up to 2^24 and more elements, in groups as large as the device allows and in small ones.
void check_millions(grader::Case& lab, const Lab& under_test, const std::string& kernel);

/// Small reductions that show all that a kernel does, for the analysis.
void check_small(grader::Case& lab, const Lab& under_test, const std::string& kernel);

/// Ends the case with a failure if one work-item does most of a group's additions, or if elements
/// are not loaded in whole vectors of the lab's lanes.
void check_shared_work(grader::Case& lab, const Lab& under_test, const std::string& kernel);

/// Times sums against a copy for the record, and against a scalar tree with `bound`; a result that
/// is wrong is not timed.
void check_time(grader::Case& lab, const Lab& under_test, const std::string& kernel, double bound,
                const std::function<void(const grader::SpeedLimit&, const std::vector<float>&,
                                         std::size_t work_group_size)>& time);

} // namespace reductions
