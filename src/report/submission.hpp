#pragma once

#include "report/result.hpp"

#include <string>
#include <vector>

namespace report {

/// All graded labs of one student. Any text in it can come from the student: no format outputs it
/// as markup, as a command to GitHub Actions or as a formula.
struct Submission {
    std::string student;              ///< name of its folder, which can be anything
    std::string protection;           ///< the sandbox of the student's code
    std::vector<std::string> remarks; ///< about its files: which were ignored, and why
    std::vector<Result> labs;

    int score() const;
    int max_score() const;
};

/// Facts about a submission that only Classroom 50 knows; "" if unknown. Its runner sets owner,
/// assignment_type and datetime itself.
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

/// Returns what Classroom 50's runner passes to an autograder in environment variables, and the
/// current time if it is that runner.
Classroom50 classroom50_environment();

/// Returns `submission` as JSON, schema "opencl-labs/submission/v1". Only this format keeps every
/// text whole; the others cut long texts, and say so.
std::string to_json(const Submission& submission);

/// Reads what to_json() has written. Throws std::runtime_error that says what is wrong for anything
/// else.
Submission submission_from_json(const std::string& text);

/// Returns `submission` as JUnit XML, one test suite per lab.
std::string to_junit(const Submission& submission);

/// Returns `submission` for the Classroom grading reporter. In base64 it always fits into an
/// environment variable: messages are shortened as needed, and in the end cases are merged.
std::string to_classroom(const Submission& submission);

/// Returns `submission` as the result.json of a Classroom 50 autograder.
std::string to_classroom50(const Submission& submission, const Classroom50& environment = {});

/// Returns `submission` as Gradescope's results.json.
std::string to_gradescope(const Submission& submission);

/// Returns the failures as commands to GitHub Actions, which shows them at the lines of the
/// student's files: at most ten, those with a line first, and one for all cases of a lab with the
/// same message about the same place. Only this format is meant to contain commands.
std::string to_annotations(const Submission& submission);

/// Returns `submission` as Markdown of at most 1 MiB, the limit of a step summary.
std::string to_markdown(const Submission& submission);

/// Returns `submission` as a self-contained HTML page: no scripts, nothing loaded.
std::string to_html(const Submission& submission);

} // namespace report
