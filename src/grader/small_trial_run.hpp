#pragma once

#include "grader/calls.hpp"
#include "grader/correction_search.hpp"
#include "grader/labgrind_trial.hpp"
#include "grader/small_trials.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace grader {

class Case;

/// Runs a lab's small trials with their kernels interpreted, and collects what they show: each
/// continues after a failure of another.
class SmallTrialRun {
  public:
    SmallTrialRun(Case& test, Session& session, report::Case& record, Calls& calls,
                  TrialShare share)
        : test_(test), session_(session), interpreter_(session.interpreter()), record_(record),
          calls_(calls), share_(std::move(share)), trial_(calls, interpreter_),
          corrections_(test, session, calls) {}

    /// Runs this session's share of them.
    SmallTrials run();
    /// How many there are. Runs none of them.
    std::size_t count();

    /// One of them, which the lab begins.
    void collect(const std::function<void()>& body);
    /// One that is too large to be interpreted, except for its first and last group.
    void collect_ends(const std::function<void()>& body);

  private:
    bool leaves_out(std::size_t number);
    bool can_be_corrected() const;
    void note_host_mistake();
    void run_all();
    void run_alone(std::size_t number, std::size_t turn, const std::function<void()>& body);
    void blame_unwritten(const std::function<void()>& with_other_values,
                         const CaseOutcome& failure);
    std::optional<wire::Finding> unwritten_element(const Observation& seen) const;
    bool add_those_about(const wire::Finding& finding,
                         const std::vector<ObservedFinding>& explanations);
    std::optional<CaseOutcome> judge(const std::function<void()>& trial);
    std::optional<CaseOutcome> judge_in(const wire::Schedule& schedule,
                                        const std::function<void()>& body);
    void try_other_schedules(const std::function<void()>& body);

    Case& test_;
    Session& session_;
    Interpreter& interpreter_;
    report::Case& record_;
    Calls& calls_;
    TrialShare share_;
    std::optional<bool> others_are_clean_; ///< not asked yet
    LabgrindTrial trial_;
    SmallTrials found_;       ///< so far
    bool takes_long_ = false; ///< a trial has shown a mistake and taken seconds
    std::size_t trials_ = 0;  ///< that have begun
    CorrectionSearch corrections_;
};

} // namespace grader
