#pragma once

#include "grader/failure.hpp"
#include "grader/interpreter.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace grader {

class Session;

/// What a lab's small trials showed.
struct SmallTrials {
    Observation seen;
    std::optional<Ended> failure;          ///< the first trial with a wrong result, if there is any
    std::set<std::string> failed_kernels;  ///< of all trials with a wrong result
    std::vector<ObservedFinding> unjudged; ///< findings that mean nothing beside that result
    KnownMistake host_mistake;             ///< the first one of a trial
    std::set<std::string> trials_with_host_mistakes;
    KnownMistake kernel_mistake; ///< the first one that explains findings
    std::size_t passed = 0;      ///< trials
    std::size_t failed = 0;

    /// Whether so much fails that a lack of findings means nothing: kernels that do nothing have none.
    bool is_inconclusive() const { return failure && failed >= passed; }
};

/// What the lab's small trials show. They draw the same inputs for every session.
SmallTrials small_trials_of(Session& session);

/// Runs the small trials in the background.
class Scout {
  public:
    Scout() = default;
    Scout(const Scout&) = delete;
    Scout& operator=(const Scout&) = delete;
    Scout(Scout&&) = delete;
    Scout& operator=(Scout&&) = delete;
    virtual ~Scout() = default; ///< stops it
    /// Waits for the result and returns it.
    virtual SmallTrials report() = 0;
};

/// Runs the small trials of `session` in a separate thread, runner and interpreter while its cases
/// run on the device, so that two processors share the work. Null if that would gain nothing: in a
/// sealed session, because grading already runs as many labs at a time as there are processors, and
/// if kernels cannot be interpreted.
std::unique_ptr<Scout> send_scout(Session& session);

} // namespace grader
