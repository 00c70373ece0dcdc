#pragma once

#include "report/result.hpp"

#include <cstddef>
#include <ctime>
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace grader {

/// When students see hints.
enum class ShowHints {
    asked, ///< with ./harness --hint, and in reports
    always,
    never ///< nowhere
};

/// The instructor's settings for one lab, from labs/course.json:
///
///     {"lab1": {"due": "2026-12-04T23:59:00+01:00", "hints": "asked", "hint_levels": 2,
///               "points": {"minimum": 2}}}
struct LabSettings {
    std::optional<std::time_t> due;
    std::string due_text; ///< as written there
    ShowHints hints = ShowHints::asked;
    /// The most hints of a case that students get.
    std::size_t hint_levels = std::numeric_limits<std::size_t>::max();
    std::map<std::string, int> points; ///< by the name of a case; they replace those in its source
};

/// The settings of a course, by the name of a lab. Labs without settings may be missing.
using CourseSettings = std::map<std::string, LabSettings>;

/// The settings in `text`, the content of labs/course.json. Throws Unusable with what is wrong in
/// that file.
CourseSettings settings_from(const std::string& text);

/// The same for the course in the folder `root`; no settings if there is no such file.
CourseSettings read_settings(const std::string& root);

/// Throws Unusable if there are settings for a lab that the course in `root` does not have.
void require_labs_of(const CourseSettings& settings, const std::string& root);

/// Leaves the first `most` hints of a case, and sets the one for reports.
void limit_hints(report::Case& one, std::size_t most);

/// Applies `settings` to `result`, with its lateness at the time `now`. Throws Unusable for points
/// of a case that does not exist.
void apply(const LabSettings& settings, std::time_t now, report::Result& result);

} // namespace grader
