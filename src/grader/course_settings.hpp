#pragma once

#include "report/result.hpp"

#include <ctime>
#include <map>
#include <optional>
#include <string>

namespace grader {

/// When students see hints.
enum class Hints {
    asked, ///< with ./harness --hint, and in reports
    always,
    never
};

/// What whoever gives the course has set for one lab, in labs/course.json:
///
///     {"lab1": {"due": "2026-12-04T23:59:00+01:00", "hints": "asked", "points": {"minimum": 2}}}
struct LabSettings {
    std::optional<std::time_t> due;
    std::string due_text; ///< as it stands there
    Hints hints = Hints::asked;
    std::map<std::string, int> points; ///< by the name of a case, instead of those beside it
};

/// The settings of `lab` in `text`, the content of labs/course.json; the default ones if it has none.
/// Throws Unusable, which says what in that file is wrong.
LabSettings settings_from(const std::string& text, const std::string& lab);

/// The same of the course in the folder `root`; the default ones if there is no such file.
LabSettings read_settings(const std::string& root, const std::string& lab);

/// Puts `settings` into the cases of `result`, and whether it is late `now`. Throws Unusable for points
/// of a case that there is not.
void apply(const LabSettings& settings, std::time_t now, report::Result& result);

} // namespace grader
