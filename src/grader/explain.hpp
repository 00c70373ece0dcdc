#pragma once

#include "grader/runner_process.hpp"

#include <string>

/// Numbers and signals in a student's words.
namespace grader {

/// "CL_INVALID_WORK_GROUP_SIZE (-54): ..." with what usually causes it.
std::string explain_opencl_error(int code);

/// "a segmentation fault: ..." for a signal's number.
std::string explain_signal(int signal);

/// What is known of where a runner crashed: its own source lines, outermost last. `runner` is the
/// program's path and `root` the folder that paths are shown relative to.
std::string explain_stack(const std::vector<std::uint64_t> &frames, const std::string &runner,
                          const std::string &root);

/// A whole account of a runner's end.
std::string explain_death(const Death &death, const std::string &runner, const std::string &root);

/// A value as short as it can be told without loss: whole numbers without a point.
std::string show(double value);

/// "1 group", "3 groups".
std::string count_of(std::size_t count, const std::string &noun);

/// "4096/64": global size over work-group size.
std::string show_sizes(const wire::Launch &launch);

} // namespace grader
