#pragma once

#include "grader/calls.hpp"
#include "grader/interpreter.hpp"
#include "grader/scout.hpp"
#include "grader/session.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace grader {

class Case;

/// Why there is no count or no verdict after a finding that ended a launch.
constexpr const char* cut_short =
    "no verdict: a mistake that another case reports ended the analysis early";

/// The part of a running case that asks labgrind: for a second opinion on a trial that failed on the
/// device, and for findings in the lab's small trials.
class Analyst {
  public:
    Analyst(Case& test, Session& session, report::Case& record, Calls& calls)
        : test_(test), session_(session), interpreter_(session.interpreter()), record_(record),
          calls_(calls) {}

    /// How a trial ends that the device has run, which ended like `failure` there; empty if it
    /// passes. `first_turn`: that of the trial's first call.
    std::optional<Ended> review(const std::function<void()>& body, std::optional<Ended> failure,
                                int first_turn);

    /// How a trial ends whose launches labgrind runs in place of the device. Its result must be
    /// right, and labgrind must find no mistake in the kernels.
    std::optional<Ended> run_by_labgrind(const std::function<void()>& body);

    /// Runs `body` interpreted, and returns how it failed. A wrong result is no failure if it comes
    /// from a race alone, so that the result is right in lock step: the case that reports races
    /// fails, and the others can judge the rest.
    std::optional<Ended> interpret(const std::function<void()>& body);

    /// The same for only the first and the last group of each launch.
    void interpret_ends(const std::function<void()>& body);

    /// Whether the lab's small trials run: each continues after a failure of another.
    bool is_collecting() const { return small_ != nullptr; }
    /// Runs one of them.
    void collect(const std::function<void()>& body);
    /// Runs one that is too large to be interpreted, except for its first and last group.
    void collect_ends(const std::function<void()>& body);

    /// Runs all of the lab's small trials with their kernels interpreted.
    SmallTrials look_at_small_trials();

    /// What the small trials of the session show.
    const SmallTrials& small_trials();

    /// How the case ends because of the small trials; empty if it passes.
    std::optional<Ended> verdict_of_small_trials();

    /// The other case that reports the first mistake of `seen`; "" if none does. Only mistakes in
    /// the small trials are reported.
    std::string cause_of(const Observation& seen) const;
    /// The same for a wrong result of the last launches, in which `seen` was observed: if that shows no
    /// mistake, one that their kernels make in the small trials is the cause.
    std::string cause_of_result(const Observation& seen);

  private:
    /// What labgrind reports about a trial.
    struct Judged {
        std::optional<Ended>
            ended; ///< how it failed; empty if its result is right in every schedule
        Observation seen;

        bool clean() const { return !ended && seen.clean(); }
    };
    /// What the calls of a trial depend on: a trial that begins the same way runs the same way.
    struct Start;

    void note_host_mistake();
    void blame_unwritten(const std::function<void()>& body, const Start& start,
                         const Ended& failure);
    std::optional<wire::Finding> unwritten_element(const Observation& seen) const;
    void try_other_orders(const std::function<void()>& body);
    std::optional<Ended> attempt_in_lock_step(const std::function<void()>& body);
    std::optional<Ended> while_contended(const std::function<std::optional<Ended>()>& attempt);
    void try_small_trials(SmallTrials& small);
    ObservedFinding lost_update(const Observation& seen, const Ended& ended) const;

    std::optional<Ended> missing_order(const std::function<void()>& body);
    std::optional<Ended> early_write(const std::function<void()>& body, int first_turn,
                                     const Ended& failure);
    bool is_right_with_blocking_writes(const std::function<void()>& body);
    Judged judge_by_labgrind(const std::function<void()>& body, StandIn reason);
    bool fails_with_small_trials_on_device();
    bool device_is_known_to_err();
    StandIn second_opinion(const std::function<void()>& body, Ended& failure);
    std::string explain(StandIn reason) const;
    void add_slowness(Ended& failure) const;
    void add_mistake(const Observation& seen, Ended& failure);
    void add_difference(const Observation& seen, Ended& failure) const;

    std::optional<Ended> failure_by_findings(const SmallTrials& small) const;
    std::string show(const ObservedFinding& finding) const;

    Case& test_;
    Session& session_;
    Interpreter& interpreter_;
    report::Case& record_;
    Calls& calls_;
    SmallTrials* small_ = nullptr; ///< being collected
};

} // namespace grader
