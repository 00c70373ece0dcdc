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

/// Returns the files of a task that count, and their revisions. Throws as collect() does.
Files files_of(const Task& task, const Course& course);

/// How a task ended.
struct Finished {
    report::Submission submission;
    std::string failure; ///< why the harness has no result of some lab; "" if it has all
    double seconds = 0;  ///< sum of the wall times of its labs
};

/// Callbacks for the progress of a grading, called one at a time.
struct Listener {
    std::function<void(const Task&, const std::string& lab)> begun;
    /// `kept`: the result existed already.
    std::function<void(const Task&, const std::string& lab, bool kept)> ended;
    std::function<void(const Task&, const Finished&)> finished;
};

/// Grades all labs of all tasks, `jobs` labs at a time, in the empty folder `work`, except labs
/// whose results an interrupted grading has left. One bad submission never stops the rest. If
/// `stop` asks for it, returns early, after everything under way has ended.
void grade_all(const Course& course, const std::vector<Task>& tasks, const Settings& settings,
               const std::string& confine, unsigned jobs, const std::filesystem::path& work,
               const Listener& listener, const Stop& stop);

} // namespace grade
