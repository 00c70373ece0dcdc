#pragma once

#include "grade/collect.hpp"
#include "grade/course.hpp"
#include "grade/lab.hpp"
#include "report/submission.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace grade {

/// How the reason of a lab begins that has no result through no fault of the submission.
constexpr const char* harness_failed = "the harness failed: ";

/// The result files of a submission, in its folder of the output.
class Results {
  public:
    explicit Results(std::filesystem::path folder) : folder_(std::move(folder)) {}

    const std::filesystem::path& folder() const { return folder_; }

    /// What is there already, if it is of these files and would be the same again; else nothing.
    std::optional<report::Submission> finished(const Course& course, const Files& files,
                                               const Settings& settings) const;

    /// Removes the result of a grading before this one.
    void begin() const;

    /// Writes every format, and what was graded; result.json last, for it says that all are there.
    void write(const report::Submission& submission, const Files& files,
               const std::vector<Graded>& labs) const;

  private:
    std::filesystem::path folder_;
};

} // namespace grade
