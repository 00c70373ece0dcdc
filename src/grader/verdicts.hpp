#pragma once

#include "grader/session.hpp"
#include "report/terminal.hpp"

#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

namespace grader {

/// All cases that were compiled in, in the order of their file. Until doctest reaches a case, it
/// counts as an error: a run that is cut short passes nothing.
std::vector<report::Case> declared_cases();

/// Whether the case of this name reports findings of this kind.
bool is_reported_by(const std::string& name, wire::FindingKind kind);
/// Whether this is the first kind that the case reports. The hints of the case are about that one.
bool is_subject_of(const std::string& name, wire::FindingKind kind);
/// The first case that reports findings of this kind; "" if there is none.
std::string case_that_reports(wire::FindingKind kind);

/// Writes the verdict of a case that ended like this: its status, its message, and the case that it
/// follows from. How a case ended is decided before: src/grader/README.md says where.
void conclude(Session& session, report::Case& record, CaseOutcome ended);

/// From now on, doctest's cases write their verdicts into the running session. The reporter
/// "verdict" prints nothing.
void listen_to_cases();
/// Returns such a reporter, so that tests can call it.
std::unique_ptr<doctest::IReporter> make_collector();

/// Whether the filters left out every case.
bool nothing_selected(const report::Result& result);

/// Where the running session's cases are shown as they end; null shows nothing.
void set_terminal(report::Terminal* instance);

} // namespace grader
