#pragma once

#include "runner/lab.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <string>
#include <utility>
#include <vector>

namespace runner {

/// A host function that OpenCL calls when a command reaches a status, and its arguments.
struct Callback {
    void(CL_CALLBACK* function)(cl_event, cl_int, void*) = nullptr;
    void* data = nullptr;
    cl::Event event = {};
    cl_int status = CL_COMPLETE;
};

/// Holds back callbacks of ended commands until the host waits. OpenCL may call them that late, so a host
/// that uses memory without waiting for the callback never has it in time.
class Callbacks {
  public:
    /// Calls a callback that was held back.
    using Run = std::function<void(const Callback&)>;

    explicit Callbacks(Run run) : run_(std::move(run)) {}

    /// The calling thread is the host's from now on.
    void begin();
    /// Drops the callbacks that are left, and all later ones: their data may have been on the host's stack.
    void end();

    /// Calls `callback` in a thread of its own once the host's thread sleeps, or has computed for so long
    /// that it is probably asking for a flag again and again.
    void hold(Callback callback);

    /// Calls those whose command `has_waited_for` confirms, now and in this thread.
    void run_waited_for(const std::function<bool(cl_event)>& has_waited_for);

  private:
    void watch();
    bool is_host_waiting() const;

    const Run run_;
    std::mutex mutex_; ///< guards what follows
    std::condition_variable changed_;
    bool is_watching_ = false; ///< there is a thread that watches the host's
    bool is_open_ = false;
    std::vector<Callback> held_;
    std::string host_state_; ///< the file with the state of the host's thread
    clockid_t host_clock_ = {};
    double held_since_ = 0; ///< in seconds of host_clock_: the latest of them
};

} // namespace runner
