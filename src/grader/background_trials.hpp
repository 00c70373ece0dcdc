#pragma once

#include "grader/small_trials.hpp"

#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace grader {

class Session;

/// Runs the small trials in a thread of their own, with a runner and an interpreter of their own,
/// while the cases run on the device: two processors share the work. If there are more, several threads
/// share the small trials.
class BackgroundTrials {
  public:
    BackgroundTrials(const Session& main, unsigned processors);
    BackgroundTrials(const BackgroundTrials&) = delete;
    BackgroundTrials& operator=(const BackgroundTrials&) = delete;
    ~BackgroundTrials(); ///< stops them
    /// Waits for the result and returns it, once. Throws what the trials have thrown.
    SmallTrials result() { return trials_.get(); }

  private:
    std::atomic<bool> abandoned_{false};
    std::unique_ptr<Session> session_;
    std::vector<std::unique_ptr<Session>> helpers_; ///< none with few processors
    std::future<SmallTrials> trials_;               ///< the last member: waited for first
};

/// Runs the small trials of `session` in the background. Null if that would gain nothing: in a
/// sealed session, because grading already runs as many labs at a time as there are processors, and
/// if kernels cannot be interpreted.
std::unique_ptr<BackgroundTrials>
run_in_background(Session& session, unsigned processors = std::thread::hardware_concurrency());

} // namespace grader
