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

/// Whether the case of this name reports findings of this kind, whether that is the first of its
/// kinds, and the first such case; "" if there is none.
bool is_reported_by(const std::string& name, wire::FindingKind kind);
bool is_first_reported_by(const std::string& name, wire::FindingKind kind);
std::string case_that_reports(wire::FindingKind kind);

/// Writes the verdict of a case that ended like this: its status, its message, and the case that it
/// follows from. The one place where a verdict is written.
void conclude(Session& session, report::Case& record, CaseOutcome ended);
/// The same for a case that cannot run here, and for one that proves neither that the work is right nor
/// that it is wrong. Both go on to their end.
void conclude_skipped(report::Case& record, const std::string& reason);
void conclude_unclear(report::Case& record);

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
