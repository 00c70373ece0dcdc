#pragma once

#include "report/result.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// What the formats that people and services read have in common.
namespace report {

/// Bytes that are told of the texts of a case: student code makes them as long as it likes.
constexpr std::size_t name_limit = 200;
constexpr std::size_t line_limit = 1000;
constexpr std::size_t hint_limit = 2048;
constexpr std::size_t output_limit = 4096;
constexpr std::size_t message_limit = 8192;

/// Whether services shall show the case as passed: a doubt is none of the student's, and a skipped
/// case stands in the way only where it had points to give.
bool earned(const Case& one);

/// The cases of `result`. Where there are none, one case stands for the lab and says why; where they
/// have nothing to say for themselves, they say what kept the lab from being run.
std::vector<Case> told_cases(const Result& result);

/// What is to be said of a lab as a whole: "pushed 2 h 5 min after it was due", and why it was not run;
/// "" if there is nothing.
std::string remark_on(const Result& result);

/// Which revision was graded: "commit 1a2b3c, pushed 2026-12-04T23:59:00+01:00"; "" if nobody said.
std::string revision_of(const Result& result);

/// How many passed; a doubt counts, a case that was skipped does not.
std::size_t passed_cases(const std::vector<Case>& cases);

/// "8 of 10"
std::string points(int score, int max_score);

/// "kernels/lab1.cl:12" on one line, "" if the case is about no file.
std::string place(const std::string& file, int line, std::size_t limit = line_limit);

/// All that there is to say about a case, as plain text: message, place, hint, and what student code
/// printed. Each is cut to its limit, and to `limit` at most.
std::string told(const Case& one, std::size_t limit = message_limit);

/// `number`, or 0 where it is none.
double finite(double number);

} // namespace report
