#pragma once

#include "grader/small_trials.hpp"

#include <memory>

namespace grader {

/// Runs the small trials in the background.
class Scout {
  public:
    Scout() = default;
    Scout(const Scout&) = delete;
    Scout& operator=(const Scout&) = delete;
    virtual ~Scout() = default; ///< stops it
    /// Waits for the result and returns it.
    virtual SmallTrials report() = 0;
};

/// Runs the small trials of `session` while its cases run on the device, so that two processors share
/// the work, or three if there are many: in one or two threads, each with a runner and an interpreter
/// of its own. Null if that would gain nothing: in a
/// sealed session, because grading already runs as many labs at a time as there are processors, and
/// if kernels cannot be interpreted.
std::unique_ptr<Scout> send_scout(Session& session, unsigned processors);

} // namespace grader
