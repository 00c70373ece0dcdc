#pragma once

#include "report/result.hpp"

#include <string>
#include <vector>

namespace report {

/// All labs of one student, graded. Any text in here may come from the student: no format lets it
/// out as markup, as a command to GitHub Actions or as a formula.
struct Submission {
    std::string student;              ///< name of its folder, which can be anything
    std::string protection;           ///< what kept the student's code in
    std::vector<std::string> remarks; ///< about its files: what was not taken, and why
    std::vector<Result> labs;

    int score() const;
    int max_score() const;
};

/// Whose result it is, and of what, which only Classroom 50 knows; "" where nobody said. Its runner
/// stamps owner, assignment_type and datetime itself.
struct Classroom50 {
    std::string classroom;
    std::string assignment;
    std::string assignment_type;
    std::string owner;
    std::string submission;
    std::string commit;
    std::string release;
    std::string review;
    std::string datetime;
};

/// What Classroom 50's runner tells an autograder in variables of the environment, and the time now,
/// if it is that runner.
Classroom50 classroom50_environment();

/// `submission` as JSON, schema "opencl-labs/submission/v1". This alone keeps every text whole; the
/// others cut what is long, and say so.
std::string to_json(const Submission& submission);

/// What to_json has written. Throws std::runtime_error, which says what is wrong, for anything else.
Submission submission_from_json(const std::string& text);

/// `submission` as JUnit XML, a test suite a lab.
std::string to_junit(const Submission& submission);

/// `submission` for the Classroom grading reporter. In base64 it always fits into a variable of the
/// environment: messages become as short as that takes, and at last each lab is one test.
std::string to_classroom(const Submission& submission);

/// `submission` as the result.json of a Classroom 50 autograder.
std::string to_classroom50(const Submission& submission, const Classroom50& environment = {});

/// `submission` as Gradescope's results.json.
std::string to_gradescope(const Submission& submission);

/// What did not pass as commands to GitHub Actions, which shows them at the lines of the student's
/// files: ten at most, those with a line first, one for all cases of a lab that say the same of the same
/// place. This alone is meant to be a command.
std::string to_annotations(const Submission& submission);

/// `submission` as Markdown of at most 1 MiB, which a step summary can hold.
std::string to_markdown(const Submission& submission);

/// `submission` as a page that needs nothing else: no scripts, nothing loaded.
std::string to_html(const Submission& submission);

} // namespace report
