#pragma once

#include "../end_to_end/tree.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// A member of tests/submissions/right or wrong, see submissions.cpp.
struct Submission {
    std::filesystem::path patch; ///< empty: the solutions as they are
    std::string name;
    std::string lab;
    bool passes = false;
    std::string failing_case;               ///< one that must fail
    std::vector<std::string> says;          ///< must be parts of its message
    std::vector<std::string> never_says;    ///< must not: they would mislead
    std::vector<std::string> passing_cases; ///< the same mistake must not cost their points
    std::vector<std::string> slow_cases;    ///< other devices than the CPU may be too slow
    bool alone = true;                      ///< no other cases run
    bool changes_host_code = false;
};

/// Reads a patch with its head.
Submission read_submission(const std::filesystem::path& patch);

/// Where a submission lies once it is prepared, relative to the copy of the repository.
struct Prepared {
    std::string folder;
    std::string runner;
    std::string problem; ///< why it could not be prepared; "" if it was
    std::string output;  ///< what the commands printed
};

/// Applies and builds a submission in a folder of its own.
Prepared prepare(const Submission& submission);

/// The device that the environment's DEVICE names; null: none.
const char* chosen_device();

/// Runs the grader on a submission with `options`, which begin with a space, on the best device, or
/// on the one whose number is in the environment's DEVICE.
tree::Outcome run_grader(const Submission& submission, const Prepared& prepared,
                         const std::string& options);

/// Builds what all submissions need.
void build_solutions();
