#pragma once

#include "report/result.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grade {

/// The course that grades submissions: our own files, which are trusted.
class Course {
  public:
    /// The course at `root`, built there, with the labs in `wanted`, or all labs if it is empty.
    /// Throws std::runtime_error if something is missing, and says what to run.
    Course(std::filesystem::path root, const std::vector<std::string>& wanted);

    const std::filesystem::path& root() const { return root_; }
    /// In the order of their numbers.
    const std::vector<std::string>& labs() const { return labs_; }
    /// The files of a lab that students write: paths in the course and in submissions.
    std::vector<std::string> files_of(const std::string& lab) const;
    /// The same files of all wanted labs.
    std::vector<std::string> files() const;
    /// The same files of the other labs.
    std::vector<std::string> other_files() const;
    /// A lab's result before any of its cases has run.
    const report::Result& declared(const std::string& lab) const { return declared_.at(lab); }

    /// A digest of the sources that decide a result, without students' files: equal if the sources
    /// are. Computed when this object was created.
    const std::string& digest() const { return digest_; }

    /// Copies into `folder` what is needed to build and run a submission, and what the submission
    /// is allowed to see: no solutions, no tests, no grader.
    void stage(const std::filesystem::path& folder) const;

  private:
    std::vector<std::string> files_of(const std::vector<std::string>& labs) const;

    std::filesystem::path root_;
    std::string digest_;
    std::vector<std::string> labs_;
    std::vector<std::string> other_labs_;
    std::map<std::string, report::Result> declared_;
};

/// Fills `folder` for one lab of one submission with all that make and a grader look for: the
/// student's files beside links into `stage`.
void lay_out(const std::filesystem::path& stage, const std::string& lab,
             const std::map<std::string, std::string>& files, const std::filesystem::path& folder);

} // namespace grade
