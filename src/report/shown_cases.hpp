#pragma once

#include "report/result.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// What the formats for people and for services have in common.
namespace report {

/// Limits in bytes for the texts of a case: student code can make them very long.
constexpr std::size_t name_limit = 200;
constexpr std::size_t line_limit = 1000;
constexpr std::size_t hint_limit = 2048;
constexpr std::size_t output_limit = 4096;
constexpr std::size_t message_limit = 8192;

/// Returns the cases of `result`. If there are none, returns one case that represents the lab and
/// says why. Cases without a message say why the lab was not run.
std::vector<Case> shown_cases(const Result& result);

/// Returns a remark on the whole lab: "pushed 2 h 5 min after it was due", and why it was not run;
/// "" if there is none.
std::string remark_on(const Result& result);

/// Returns the graded revision: "commit 1a2b3c, pushed 2026-12-04T23:59:00+01:00"; "" if unknown.
std::string revision_of(const Result& result);

/// Returns how many cases passed; inconclusive cases count, skipped ones do not.
std::size_t passed_cases(const std::vector<Case>& cases);

/// Returns "8 of 10".
std::string points(int score, int max_score);

/// The same for a case; "optional" if it has no points.
std::string points(const Case& one);

/// Returns "kernels/lab1.cl:12" on one line, "" if `file` is empty.
std::string place(const std::string& file, int line, std::size_t limit = line_limit);

/// Returns all about a case as plain text: message, place, hint, and what student code printed.
/// Each is cut to its limit, and to `limit` at most.
std::string text_of(const Case& one, std::size_t limit = message_limit);

/// Returns `number`, or 0 if it is not finite.
double finite(double number);

} // namespace report
