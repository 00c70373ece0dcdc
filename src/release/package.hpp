#pragma once

#include <filesystem>
#include <map>
#include <string>

/// Creates the files that are handed out from the course in the folder `root`. All functions throw
/// std::runtime_error that says what is wrong and where.
namespace release {

struct File {
    std::string text;
    bool is_program = false;
};

/// Files by their paths, relative to the folder that they belong to.
using Files = std::map<std::filesystem::path, File>;

/// Returns the starters of all files in solutions/.
Files starters(const std::filesystem::path& root);

/// Returns all files in solutions/ without their marks.
Files plain_solutions(const std::filesystem::path& root);

/// Returns the students' template: all that is needed to build, run and grade the labs, with
/// starters instead of solutions, and without the parts of README.md and handouts that are for
/// instructors.
Files student_template(const std::filesystem::path& root);

/// Returns the files that `service`, a folder in .github/classroom, needs for grading: its scripts,
/// the template, and `labs`, names separated by blanks, or empty for all labs. Throws if a lab does
/// not exist.
Files autograder(const std::filesystem::path& root, const std::string& service,
                 const std::string& labs);

/// Writes `files` below `folder`.
void write(const Files& files, const std::filesystem::path& folder);

} // namespace release
