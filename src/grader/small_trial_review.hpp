#pragma once

#include "grader/calls.hpp"
#include "grader/finding_words.hpp"
#include "grader/session.hpp"
#include "grader/small_trials.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace grader {

class Case;

/// Why there is no count or no verdict after a finding that ended a launch.
constexpr const char* cut_short =
    "no verdict: a mistake that another case reports ended the analysis early";

/// What the lab's small trials show to a case: which findings it fails for, and which explain a failure.
class SmallTrialReview {
  public:
    SmallTrialReview(Case& test, Session& session, const report::Case& record, Calls& calls)
        : test_(test), session_(session), record_(record), calls_(calls), words_(session) {}

    /// What they show. The first call of a session waits for them.
    const SmallTrials& result();

    /// How the case ends because of them; empty if it passes.
    std::optional<CaseOutcome> verdict();

    /// Whether the device gets a wrong result in one of them.
    bool fail_on_device();

    /// Whether the device fails in one although the kernels are correct, or would be with barriers.
    bool device_is_known_to_err();

    /// How a case ends that fails because of one finding.
    CaseOutcome failure_by(const ObservedFinding& one) const;

    /// The other case that reports the first mistake of `seen`; "" if none does. Only mistakes in
    /// the small trials are reported.
    std::string cause_of(const Observation& seen) const;

    /// The same for a wrong result of the last launches, in which `seen` was observed: if that shows no
    /// mistake, one that their kernels make in the small trials is the cause.
    std::string cause_of_result(const Observation& seen);

  private:
    /// A finding, and the other lines with which the same mistake shows.
    struct Mistake {
        std::reference_wrapper<const ObservedFinding> finding;
        std::set<int> more_lines;
    };

    std::vector<Mistake> reported(const SmallTrials& small) const;
    std::vector<std::string> explain_by(const KnownMistake& known, const ObservedFinding& one,
                                        CaseOutcome& ended) const;
    std::optional<CaseOutcome> failure_by_findings(const SmallTrials& small) const;

    Case& test_;
    Session& session_;
    const report::Case& record_;
    Calls& calls_;
    FindingWords words_;
};

} // namespace grader
