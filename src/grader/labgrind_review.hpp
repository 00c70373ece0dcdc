#pragma once

#include "grader/calls.hpp"
#include "grader/interpreter.hpp"
#include "grader/labgrind_trial.hpp"
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

/// The part of a running case that asks labgrind: for a second opinion on a trial that failed on the
/// device, and for findings in the lab's small trials.
class LabgrindReview {
  public:
    LabgrindReview(Case& test, Session& session, report::Case& record, Calls& calls)
        : test_(test), session_(session), interpreter_(session.interpreter()), record_(record),
          calls_(calls), trial_(calls, interpreter_) {}

    /// How a trial that ended like `failure` on the device ends after labgrind has rerun it; empty if
    /// it passes. `first_turn`: that of the trial's first call.
    std::optional<CaseOutcome> review(const std::function<void()>& body,
                                      std::optional<CaseOutcome> failure, int first_turn);

    /// How a trial ends whose launches labgrind runs instead of the device. Its result must be
    /// right, and labgrind must find no mistake in the kernels.
    std::optional<CaseOutcome> run_by_labgrind(const std::function<void()>& body);

    /// What the small trials of the session show.
    const SmallTrials& small_trials();

    /// How the case ends because of the small trials; empty if it passes.
    std::optional<CaseOutcome> verdict_of_small_trials();

    /// How a case ends that fails because of one finding.
    CaseOutcome failure_by(const ObservedFinding& one) const;

    /// The other case that reports the first mistake of `seen`; "" if none does. Only mistakes in
    /// the small trials are reported.
    std::string cause_of(const Observation& seen) const;
    /// The same for a wrong result of the last launches, in which `seen` was observed: if that shows no
    /// mistake, one that their kernels make in the small trials is the cause.
    std::string cause_of_result(const Observation& seen);

  private:
    std::optional<CaseOutcome> missing_order(const std::function<void()>& body);
    std::optional<CaseOutcome> early_use(const std::function<void()>& body, int first_turn,
                                         const CaseOutcome& failure);
    bool depends_on(wire::Blocking transfers, const std::function<void()>& body, int first_turn);
    bool is_right_if_blocking(wire::Blocking transfers, const std::function<void()>& body);
    bool can_be_watched() const;
    bool fails_with_small_trials_on_device();
    bool may_lack_barriers();
    bool device_is_known_to_err();
    bool fails_in_its_own_way(const std::function<void()>& body, const CaseOutcome& failure);
    Fallback second_opinion(const std::function<void()>& body, CaseOutcome& failure);
    std::string explain(Fallback reason, bool is_right) const;
    std::optional<CaseOutcome> fall_back(const std::function<void()>& body,
                                         const CaseOutcome& failure, int first_turn);
    void add_slowness(CaseOutcome& failure) const;
    void add_mistake(const Observation& seen, CaseOutcome& failure);
    void add_correction(CaseOutcome& failure) const;
    void add_difference(const Observation& seen, CaseOutcome& failure) const;

    /// Notes in `ended` that its message names this finding.
    void point_to(const wire::Finding& finding, CaseOutcome& ended) const;
    std::vector<std::string> explain_by(const KnownMistake& known, const ObservedFinding& one,
                                        CaseOutcome& ended) const;
    std::optional<CaseOutcome> failure_by_findings(const SmallTrials& small) const;
    /// A finding, and the other lines with which the same mistake shows.
    struct Mistake {
        std::reference_wrapper<const ObservedFinding> finding;
        std::set<int> more_lines;
    };
    std::vector<Mistake> reported(const SmallTrials& small) const;
    std::vector<std::string> describe(const KnownMistake& known, const std::string& of_host,
                                      const std::string& of_kernel) const;
    std::string mistake_of(const Correction& correction) const;
    std::vector<std::string> suspicious_lines(const KernelFile& file) const;
    void add_warnings(CaseOutcome& failure) const;
    bool add_suspects(const std::string& kernel, const std::optional<Correction>& correction,
                      const std::string& known, std::vector<std::string>& parts) const;
    /// `is_likely`: that this is the mistake. `shown`: what the message shows already.
    std::string show(const Correction& correction, bool is_likely, const std::string& shown) const;
    std::string show(const ObservedFinding& finding, const std::set<int>& more_lines = {}) const;

    Case& test_;
    Session& session_;
    Interpreter& interpreter_;
    report::Case& record_;
    Calls& calls_;
    LabgrindTrial trial_;
    bool has_remarked_ = false; ///< that labgrind stands in for the device
};

} // namespace grader
