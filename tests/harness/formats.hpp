#pragma once

#include "report/submission.hpp"

#include <string>
#include <vector>

/// What the tests of the formats share: submissions that mean no good, and ways to look at what
/// becomes of them.
namespace formats {

/// Texts that some format could take for more than text. None is told in full where it is long.
std::vector<std::string> hostile_texts();

report::Case case_of(const std::string& name, report::Status status, int score, int max_score,
                     const std::string& message = "");

/// A case of each status, points 6 of 21.
report::Result some_result(const std::string& lab);

/// Two labs and one that could not be run.
report::Submission some_submission();

/// some_submission with `text` wherever there is a text.
report::Submission submission_of(const std::string& text);

std::vector<std::string> lines_of(const std::string& text);

bool is_utf8(const std::string& text);

/// The first line that GitHub Actions would take for a command, "" if there is none.
std::string first_command(const std::string& text);

/// Which character of `text` is one that nobody sees, as a word; "" if there is none.
std::string unseen_character(const std::string& text);

} // namespace formats
