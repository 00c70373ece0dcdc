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
/// their names. Throws std::runtime_error when there are none.
std::vector<Task> class_in(const std::filesystem::path& submissions,
                           const std::filesystem::path& out);

/// The names of folders that class_in passes over because they are links.
std::vector<std::string> links_in(const std::filesystem::path& submissions);

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
