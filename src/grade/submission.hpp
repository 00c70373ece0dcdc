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

/// Returns what decides a result besides a submission's files and the seed: the course and the
/// settings, as a text that differs if they do.
std::string basis_of(const Course& course, const Settings& settings);

/// The result files of a submission, in its folder of the output.
class Results {
  public:
    explicit Results(std::filesystem::path folder) : folder_(std::move(folder)) {}

    const std::filesystem::path& folder() const { return folder_; }

    /// Returns the existing result if it is of these files and would be the same again; else
    /// nothing.
    std::optional<report::Submission> finished(const Course& course, const Files& files,
                                               const Settings& settings) const;

    /// Removes what an earlier grading has left: its result, and its labs unless they have the same
    /// files and basis.
    void begin(const Files& files, const std::string& basis) const;

    /// Removes the labs, too, so that all are graded again.
    void forget() const;

    /// Removes what a killed grading has left beside its result.
    void tidy() const;

    /// Returns a lab that an interrupted grading has kept, if its result would be the same again.
    std::optional<Graded> kept(const std::string& lab, const Settings& settings) const;

    /// Writes a lab's log, and its result for a later grading to resume if this one is interrupted.
    void keep(const Graded& lab) const;

    /// Writes every format. result.json is last: it shows that all are there.
    void write(const report::Submission& submission) const;

  private:
    bool is_of(const Files& files, const std::string& basis) const;

    std::filesystem::path folder_;
};

} // namespace grade
