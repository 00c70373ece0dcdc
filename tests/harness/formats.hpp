#pragma once

#include "report/submission.hpp"

#include <string>
#include <vector>

/// What the tests of the formats share: hostile submissions, and ways to examine the results that
/// report them.
namespace formats {

/// Texts that some format could interpret as more than text. Long ones are reported only in part.
std::vector<std::string> hostile_texts();

report::Case case_of(const std::string& name, report::Status status, int score, int max_score,
                     const std::string& message = "");

/// A case of each status, 6 of 21 points.
report::Result some_result(const std::string& lab);

/// Two labs and one that could not be run.
report::Submission some_submission();

/// some_submission with `text` in place of every text.
report::Submission submission_of(const std::string& text);

std::vector<std::string> lines_of(const std::string& text);

bool is_utf8(const std::string& text);

/// The first line that GitHub Actions would interpret as a command, "" if there is none.
std::string first_command(const std::string& text);

/// Names an invisible character of `text`; "" if there is none.
std::string unseen_character(const std::string& text);

} // namespace formats
