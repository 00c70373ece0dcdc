#pragma once

#include "grade/course.hpp"
#include "grade/lab.hpp"
#include "grade/submission.hpp"
#include "sandbox/sandbox.hpp"

#include <functional>
#include <string>
#include <vector>

namespace grade {

/// A submission to grade, and where its results go.
struct Task {
    std::string student;
    std::filesystem::path submission;
    Results results;
    Revisions revisions = {};
};

/// The files of a task that count, and what they are of. Throws as collect() does.
Files files_of(const Task& task, const Course& course);

/// How a task ended.
struct Finished {
    report::Submission submission;
    std::string
        failure;        ///< why there is no result of some lab, no fault of its own; "" if there is
    double seconds = 0; ///< processor-hogging or not: wall time of all its labs, added up
};

/// Who hears how a grading goes on. One call at a time.
struct Listener {
    std::function<void(const Task&, const std::string& lab)> begun;
    /// Kept: it was there already.
    std::function<void(const Task&, const std::string& lab, bool kept)> ended;
    std::function<void(const Task&, const Finished&)> finished;
};

/// Grades all labs of all tasks, `jobs` labs at a time, in the folder `work`, which is empty; but for
/// labs whose results an interrupted grading has left. One bad submission never stops the rest. Where
/// `stop` says so, it returns early, and all that was under way has ended.
void grade_all(const Course& course, const std::vector<Task>& tasks, const Settings& settings,
               const std::string& confine, unsigned jobs, const std::filesystem::path& work,
               const Listener& listener, const Stop& stop);

} // namespace grade
