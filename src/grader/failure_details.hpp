#pragma once

#include "grader/finding_words.hpp"

namespace grader {

class Calls;
class Session;
class SmallTrialReview;

/// Adds to the failure of a trial on the device what labgrind knows about the kernels.
class FailureDetails {
  public:
    FailureDetails(Session& session, const report::Case& record, const Calls& calls,
                   const SmallTrialReview& small_trials)
        : session_(session), record_(record), calls_(calls), small_trials_(small_trials),
          words_(session) {}

    /// The first mistake of `seen`, which may be the cause. On this device, a lock that hangs work-items
    /// in lockstep did not hang, so it did not change the result.
    void add_mistake(const Observation& seen, CaseOutcome& failure) const;

    /// Where a small change of the kernels makes all small trials right.
    void add_correction(CaseOutcome& failure) const;

    /// The suspicious lines of the file of the kernels that were launched last.
    void add_warnings(CaseOutcome& failure) const;

    /// Why labgrind's right result does not count.
    void add_difference(const Observation& seen, CaseOutcome& failure) const;

  private:
    void add_slowness(CaseOutcome& failure) const;

    Session& session_;
    const report::Case& record_;
    const Calls& calls_;
    const SmallTrialReview& small_trials_;
    FindingWords words_;
};

} // namespace grader
