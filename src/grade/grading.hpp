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
};

/// How a task ended.
struct Finished {
    report::Submission submission;
    std::string
        failure;        ///< why there is no result of some lab, no fault of its own; "" if there is
    double seconds = 0; ///< processor-hogging or not: wall time of all its labs, added up
};

/// Grades all labs of all tasks, `jobs` labs at a time, in the folder `work`, which is empty; but for
/// labs whose results an interrupted grading has left. Tells of each task as it ends, one at a time.
/// One bad submission never stops the rest.
void grade_all(const Course& course, const std::vector<Task>& tasks, const Settings& settings,
               const std::string& confine, unsigned jobs, const std::filesystem::path& work,
               const std::function<void(const Task&, const Finished&)>& tell);

} // namespace grade
