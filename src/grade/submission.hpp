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

/// Whether a lab has no result through no fault of the submission.
bool is_ours(const report::Result& result);

/// What decides a result beside a submission's files and the seed: this course and these settings, as
/// a text that differs when they do.
std::string basis_of(const Course& course, const Settings& settings);

/// The result files of a submission, in its folder of the output.
class Results {
  public:
    explicit Results(std::filesystem::path folder) : folder_(std::move(folder)) {}

    const std::filesystem::path& folder() const { return folder_; }

    /// What is there already, if it is of these files and would be the same again; else nothing.
    std::optional<report::Submission> finished(const Course& course, const Files& files,
                                               const Settings& settings) const;

    /// Removes what a grading before this one has left: its result, and its labs unless they were of
    /// the same files and basis.
    void begin(const Files& files, const std::string& basis) const;

    /// Removes the labs as well, so that all are graded again.
    void forget() const;

    /// Removes what a grading that was killed has left beside its result.
    void tidy() const;

    /// A lab that a grading has kept that was interrupted, if it would be the same again.
    std::optional<Graded> kept(const std::string& lab, const Settings& settings) const;

    /// Writes a lab's log, and its result for a grading that goes on after this one was interrupted.
    void keep(const Graded& lab) const;

    /// Writes every format; result.json last, for it says that all are there.
    void write(const report::Submission& submission) const;

  private:
    bool is_of(const Files& files, const std::string& basis) const;

    std::filesystem::path folder_;
};

} // namespace grade
