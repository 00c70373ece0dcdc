#pragma once

#include "grader/failure.hpp"
#include "grader/interpreter.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace grader {

class Session;

/// A line of a kernel file where a small change makes wrong results right, or where a barrier is missing
/// before it.
struct Correction {
    std::set<std::string> kernels; ///< that the change concerns
    int line = 0;
    std::vector<std::string> wrong = {}; ///< what can be changed there; empty: a barrier is missing
    std::string right;            ///< instead of the first of these: "<="; "": no words for it
    bool omits = false;           ///< each of these is only left out
    bool decides_on_wait = false; ///< one of these does, as in wire::Change
    bool changes_work = false;    ///< the trial that failed takes more or fewer instructions
    bool is_slight = false;       ///< the first of these is, as in wire::Change

    bool inserts_barrier() const { return wrong.empty(); }
};

/// What a lab's small trials showed.
struct SmallTrials {
    Observation seen;
    std::optional<CaseOutcome> failure;    ///< the first trial with a wrong result, if there is any
    std::set<std::string> failed_kernels;  ///< of all trials with a wrong result
    std::vector<ObservedFinding> unjudged; ///< findings that mean nothing beside that result
    std::optional<KnownMistake> host_mistake;      ///< the first one of a trial
    std::map<TrialId, KnownMistake> host_mistakes; ///< by trial
    std::optional<KnownMistake> kernel_mistake;    ///< the first one that explains findings
    std::optional<Correction> correction;
    std::size_t passed = 0; ///< trials
    std::size_t failed = 0;

    /// Whether so much fails that a lack of findings means nothing: kernels that do nothing have none.
    bool is_inconclusive() const { return failure && failed >= passed; }
    /// Whether nothing is wrong.
    bool are_clean() const { return !failure && seen.clean() && !host_mistake; }
};

/// The small trials that one session runs if several share them.
struct TrialShare {
    std::size_t first = 0; ///< number of its first trial
    /// Other sessions run the trials from number `end` on. This one runs them, too, unless all of its own
    /// are clean and `others_are_clean`, which waits for the other sessions.
    std::size_t end = std::numeric_limits<std::size_t>::max();
    std::function<bool()> others_are_clean = {};
    /// It only shows whether its trials are clean, and ends at the first one that is not.
    bool ends_unclean = false;
};

/// Runs the lab's small trials, which draw the same inputs for every session. All sessions run an equal
/// share at the same time; if a share is not clean, `session` runs them all.
SmallTrials small_trials_of(Session& session, const std::vector<std::unique_ptr<Session>>& helpers);

/// Puts the findings in the order in which they are shown, and removes or sets apart those that mean
/// nothing beside others.
void sort_findings(SmallTrials& small);

/// `seen` without the findings in kernels that are not in `launches`: they cannot be the cause of what
/// these launches compute.
Observation in_kernels_of(const std::vector<wire::Launch>& launches, Observation seen);

/// The known mistake that explains the finding; null: there is none.
const KnownMistake* known_cause_of(const ObservedFinding& one, const SmallTrials& small);

/// The finding of `seen` that `one` can follow from; null: there is none. A loop that does not end can
/// wait for what its kernel writes outside a buffer, or depend on uninitialized memory. A kernel whose work-items do not meet at a barrier
/// leaves wrong indices for other kernels.
const ObservedFinding* finding_before(const ObservedFinding& one, const Observation& seen);

/// Whether a slip in a kernel, which a small change corrects, can lead to such a finding.
bool can_follow_from_slip(const wire::Finding& finding);

/// Whether there are findings, all of which are barriers that are missing or have the wrong flag.
/// They change nothing if the work-items of a group run in lockstep.
bool only_lacks_barriers(const Observation& seen);

/// Whether `seen`, in the small trials, has a mistake of the kernels that can make any later result wrong.
/// Missing barriers do not count: each result shows whether they matter.
bool can_spoil_others(const Observation& seen, const SmallTrials& small);

} // namespace grader
