#pragma once

#include "grader/calls.hpp"
#include "grader/interpreter.hpp"
#include "grader/session.hpp"

#include <functional>
#include <optional>

namespace grader {

/// Most bytes of arguments of a call that is watched: eight thousand elements take about a second.
constexpr std::size_t most_watched_bytes = std::size_t{40} << 10;

/// Runs trials of a case with labgrind instead of the device. Each returns how the trial failed.
class LabgrindTrial {
  public:
    LabgrindTrial(Calls& calls, Interpreter& interpreter)
        : calls_(calls), interpreter_(interpreter) {}

    /// A wrong result is no failure here if it comes from a race alone, so that the result is right
    /// in lockstep: the case that reports races fails, and the others can judge the rest.
    std::optional<CaseOutcome> run(const std::function<void()>& body);

    /// In the usual schedule, whatever it shows.
    std::optional<CaseOutcome> run_once(const std::function<void()>& body);

    /// With the work-items of each group in lockstep.
    std::optional<CaseOutcome> run_in_lock_step(const std::function<void()>& body);

    /// In another schedule, which a finding explains or not.
    std::optional<CaseOutcome> run_in_schedule(const std::function<void()>& body,
                                               const wire::Schedule& schedule,
                                               bool is_explained = false);

    /// Only the first and the last group of each launch, so that results mean nothing.
    void run_ends(const std::function<void()>& body);

    /// What labgrind reports about a trial.
    struct Judged {
        /// How it failed; empty if its result is right in every schedule.
        std::optional<CaseOutcome> ended;
        Observation seen;

        bool clean() const { return !ended && seen.clean(); }
    };
    /// For a missing barrier, in lockstep and unwatched.
    Judged judge(const std::function<void()>& body, Fallback reason);

  private:
    Calls& calls_;
    Interpreter& interpreter_;
};

} // namespace grader
