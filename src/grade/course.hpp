#pragma once

#include "report/result.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grade {

/// The course that submissions are graded with: our own files, which are trusted.
class Course {
  public:
    /// The course at `root`, built there; of its labs those in `wanted`, or all if there are none.
    /// Throws std::runtime_error when something is missing, and says what to type.
    Course(std::filesystem::path root, const std::vector<std::string>& wanted);

    const std::filesystem::path& root() const { return root_; }
    /// In the order of their numbers.
    const std::vector<std::string>& labs() const { return labs_; }
    /// The files of a lab that students write: paths within the course and within submissions.
    std::vector<std::string> files_of(const std::string& lab) const;
    /// The files of all labs that were wanted.
    std::vector<std::string> files() const;
    /// Those of the others.
    std::vector<std::string> other_files() const;
    /// A lab's result before any of its cases has run.
    const report::Result& declared(const std::string& lab) const { return declared_.at(lab); }

    /// Of the sources that decide a result, students' files not among them: equal where they are. As
    /// they were when this course came to be.
    const std::string& digest() const { return digest_; }

    /// Copies into `folder` what a submission needs to be built and run, and may see: no solutions,
    /// no tests, no grader.
    void stage(const std::filesystem::path& folder) const;

  private:
    std::vector<std::string> files_of(const std::vector<std::string>& labs) const;

    std::filesystem::path root_;
    std::string digest_;
    std::vector<std::string> labs_;
    std::vector<std::string> other_labs_;
    std::map<std::string, report::Result> declared_;
};

/// A folder for one lab of one submission in which make and a grader find all that they look for:
/// the student's files beside links into `stage`.
void lay_out(const std::filesystem::path& stage, const std::string& lab,
             const std::map<std::string, std::string>& files, const std::filesystem::path& folder);

} // namespace grade
