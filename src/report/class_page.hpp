#pragma once

#include "report/submission.hpp"

#include <string>
#include <vector>

namespace report {

/// A mistake of one student, in words that are the same for all students with this mistake.
struct Mistake {
    std::string lab;
    std::string text;  ///< "data race", "wrong sum; looks like: the last element is missing"
    std::string place; ///< "kernels/lab1.cl:12", "" if none is known
    std::string code;  ///< that line, "" if none is known
    bool first = true; ///< of its lab: what to fix first
};

/// What a page about a class shows of one student's lab.
struct ClassLab {
    std::string lab;
    std::string title;
    int score = 0;
    int max_score = 0;
    bool graded = true; ///< false: it has no result, through no fault of the student
    std::vector<std::string> cases;
    std::vector<Status> statuses; ///< of these cases
};

/// What a page about a class shows of one student.
struct ClassEntry {
    std::string student;
    std::string note; ///< why there is no result; "" if there is one
    std::vector<ClassLab> labs;
    std::vector<Mistake> mistakes; ///< each once
};

/// Returns the mistakes in a lab's result, each once. An optional case that the student left out is
/// none.
std::vector<Mistake> mistakes_in(const Result& lab);

/// Returns a self-contained HTML page about a class: the most common mistakes, the points of each
/// lab, and a map of all cases and students. Students with more points come first. An anonymous page
/// has numbers instead of names, and code without comments.
std::string class_page(const std::vector<ClassEntry>& entries, bool anonymous);

} // namespace report
