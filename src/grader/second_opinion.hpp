#pragma once

#include "grader/failure_details.hpp"
#include "grader/labgrind_trial.hpp"

#include <functional>
#include <optional>
#include <string>

namespace grader {

class Case;
class SmallTrialReview;

/// Asks labgrind about a trial that failed on the device: who is to blame, and why?
class SecondOpinion {
  public:
    SecondOpinion(Case& test, Session& session, report::Case& record, Calls& calls,
                  SmallTrialReview& small_trials)
        : test_(test), session_(session), interpreter_(session.interpreter()), record_(record),
          calls_(calls), small_trials_(small_trials), trial_(calls, interpreter_),
          details_(session, record, calls, small_trials) {}

    /// How a trial that ended like `failure` on the device ends after labgrind has rerun it; empty if
    /// it passes. `first_turn`: that of the trial's first call.
    std::optional<CaseOutcome> review(const std::function<void()>& body,
                                      std::optional<CaseOutcome> failure, int first_turn);

    /// How a trial ends whose launches labgrind runs instead of the device. Its result must be
    /// right, and labgrind must find no mistake in the kernels.
    std::optional<CaseOutcome> run_by_labgrind(const std::function<void()>& body);

  private:
    std::optional<CaseOutcome> missing_order(const std::function<void()>& body);
    std::optional<CaseOutcome> early_use(const std::function<void()>& body, int first_turn,
                                         const CaseOutcome& failure);
    bool depends_on(wire::Blocking transfers, const std::function<void()>& body, int first_turn);
    bool is_right_if_blocking(wire::Blocking transfers, const std::function<void()>& body);
    bool can_be_watched() const;
    bool may_lack_barriers();
    bool fails_in_its_own_way(const std::function<void()>& body, const CaseOutcome& failure);
    Fallback whom_to_believe(const std::function<void()>& body, CaseOutcome& failure);
    std::string explain(Fallback reason, bool is_right) const;
    std::optional<CaseOutcome> fall_back(const std::function<void()>& body,
                                         const CaseOutcome& failure, int first_turn);

    Case& test_;
    Session& session_;
    Interpreter& interpreter_;
    report::Case& record_;
    Calls& calls_;
    SmallTrialReview& small_trials_;
    LabgrindTrial trial_;
    FailureDetails details_;
    bool has_remarked_ = false; ///< that labgrind stands in for the device
};

} // namespace grader
