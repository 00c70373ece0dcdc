#pragma once

#include "grader/small_trials.hpp"

#include <memory>

namespace grader {

/// Runs the small trials in the background.
class BackgroundTrials {
  public:
    BackgroundTrials() = default;
    BackgroundTrials(const BackgroundTrials&) = delete;
    BackgroundTrials& operator=(const BackgroundTrials&) = delete;
    virtual ~BackgroundTrials() = default; ///< stops it
    /// Waits for the result and returns it.
    virtual SmallTrials result() = 0;
};

/// Runs the small trials of `session` while its cases run on the device, so that two processors share
/// the work, or three if there are many: in one or two threads, each with a runner and an interpreter
/// of its own. Null if that would gain nothing: in a
/// sealed session, because grading already runs as many labs at a time as there are processors, and
/// if kernels cannot be interpreted.
std::unique_ptr<BackgroundTrials> run_in_background(Session& session, unsigned processors);

} // namespace grader
