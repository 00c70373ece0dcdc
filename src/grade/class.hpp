#pragma once

#include "grade/grading.hpp"
#include "report/gradebook.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grade {

/// One part of a class, for machines that share the work: number `part` of `parts`, from 1.
struct Shard {
    std::size_t part = 1;
    std::size_t parts = 1;
};

/// "2/5". Throws std::runtime_error for anything else.
Shard parse_shard(const std::string& text);

/// A task for each folder in `submissions` whose name does not begin with a dot, by the bytes of
/// their names, with what revisions.tsv beside them says of them. Throws std::runtime_error when there
/// are none.
std::vector<Task> class_in(const std::filesystem::path& submissions,
                           const std::filesystem::path& out);

/// Why class_in passes over folders, a line for each: they are links, or begin with a dot.
std::vector<std::string> passed_over_in(const std::filesystem::path& submissions);

/// Which revisions were handed in, by the student: what is in revisions.tsv, whose lines are
///
///     student <tab> lab <tab> commit <tab> "pushed" or "committed" <tab> time
///
/// Throws std::runtime_error, which says what is wrong where.
std::map<std::string, Revisions> revisions_from(const std::string& text);

/// The tasks of `shard`: every `parts`-th one.
std::vector<Task> part_of(const std::vector<Task>& tasks, const Shard& shard);

/// The rows of a gradebook, from the results that are there.
class Gradebook {
  public:
    /// With a row for each of `tasks`.
    Gradebook(const Course& course, const std::vector<Task>& tasks);

    /// Reads the results of one of them again.
    void refresh(const Task& task);

    std::string csv() const;

  private:
    const Course& course_;
    std::map<std::string, report::Row> rows_; ///< by student
};

} // namespace grade
