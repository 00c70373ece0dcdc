#pragma once

#include <atomic>
#include <csignal>

namespace grade {

/// Thrown when a signal asks a grading to end.
struct Stopped {};

/// Blocks the signals that ask a program to end (SIGTERM, SIGINT, SIGHUP), so that it can clean up
/// first. Create one object, before there are threads.
class Stop {
  public:
    Stop();

    /// Throws Stopped once one of these signals has arrived. Callable from any thread.
    void check() const;

    /// The signal that has arrived; 0 if none has.
    int signal() const { return signal_; }

    /// Waits until all children have ended, including those that a child has left behind. No other
    /// thread may wait for one meanwhile.
    static void wait_for_children();

    /// Ends this process by the signal that has arrived.
    [[noreturn]] void end() const;

  private:
    sigset_t signals_{};
    mutable std::atomic<int> signal_{0};
};

} // namespace grade
