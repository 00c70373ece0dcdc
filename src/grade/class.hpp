#pragma once

#include "grade/grading.hpp"
#include "report/class_page.hpp"
#include "report/gradebook.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grade {

/// A part of a class, for machines that share the work: number `part` of `parts`, from 1.
struct Shard {
    std::size_t part = 1;
    std::size_t parts = 1;
};

/// Parses "2/5". Throws std::runtime_error for anything else.
Shard parse_shard(const std::string& text);

/// Returns a task for each folder in `submissions` whose name does not begin with a dot, sorted by
/// the bytes of the names, with its revisions from revisions.tsv beside the folders. Throws
/// std::runtime_error if there are no folders.
std::vector<Task> class_in(const std::filesystem::path& submissions,
                           const std::filesystem::path& out);

/// Returns a line for each folder that class_in() skips, which says why: it is a link, or its name
/// begins with a dot.
std::vector<std::string> passed_over_in(const std::filesystem::path& submissions);

/// Returns the revisions that were handed in, by student, from the text of revisions.tsv, whose
/// lines are
///
///     student <tab> lab <tab> commit <tab> "pushed" or "committed" <tab> time
///
/// Throws std::runtime_error that says what is wrong and where.
std::map<std::string, Revisions> revisions_from(const std::string& text);

/// Returns the tasks of `shard`: every `parts`-th one.
std::vector<Task> part_of(const std::vector<Task>& tasks, const Shard& shard);

/// What a class has achieved, from the results that exist.
class Gradebook {
  public:
    /// Reads the results of each of `tasks`.
    Gradebook(const Course& course, const std::vector<Task>& tasks);

    /// Reads the results of one task again.
    void refresh(const Task& task);

    std::string csv() const;

    /// Returns the page about the class, see report::class_page().
    std::string page(bool anonymous) const;

  private:
    struct Student {
        report::Row row;
        report::ClassEntry entry;
    };

    Student read(const Task& task) const;

    const Course& course_;
    std::map<std::string, Student> students_; ///< by name
};

} // namespace grade
