#pragma once

#include <atomic>
#include <csignal>

namespace grade {

/// Thrown where a signal asks a grading to end.
struct Stopped {};

/// Holds back the signals that ask a program to end (SIGTERM, SIGINT, SIGHUP), so that it can tidy up
/// first. One of these is enough, made before there are threads.
class Stop {
  public:
    Stop();

    /// Throws Stopped once one of these signals has come. From any thread.
    void check() const;

    /// The signal that has come; 0 if none has.
    int signal() const { return signal_; }

    /// Waits until all children have ended, also those that a child has left behind. Nobody else may
    /// wait for one meanwhile.
    static void wait_for_children();

    /// Ends this process by the signal that has come.
    [[noreturn]] void end() const;

  private:
    sigset_t signals_{};
    mutable std::atomic<int> signal_{0};
};

} // namespace grade
