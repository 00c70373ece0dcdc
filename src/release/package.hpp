#pragma once

#include <filesystem>
#include <map>
#include <string>

/// What is made of the course in the folder `root`, to be handed out. Everything throws
/// std::runtime_error, which says what is wrong and where.
namespace release {

struct File {
    std::string text;
    bool is_program = false;
};

/// Files by their paths, relative to the folder that they are for.
using Files = std::map<std::filesystem::path, File>;

/// The starters of all files in solutions/.
Files starters(const std::filesystem::path& root);

/// All files in solutions/ without their marks.
Files plain_solutions(const std::filesystem::path& root);

/// The students' template: what it takes to build, run and grade the labs, with starters in the place
/// of solutions, and without what README.md and handouts have for instructors.
Files student_template(const std::filesystem::path& root);

/// What `service`, a folder in .github/classroom, wants to have for grading: its scripts, the template,
/// and `labs`, names with blanks between, or all of them if it is empty. Throws for a lab that there
/// is not.
Files autograder(const std::filesystem::path& root, const std::string& service,
                 const std::string& labs);

/// Writes `files` below `folder`.
void write(const Files& files, const std::filesystem::path& folder);

} // namespace release
