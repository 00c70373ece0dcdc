#pragma once

#include "runner/event_times.hpp"
#include "runner/lab.hpp"
#include "wire/journal.hpp"
#include "wire/messages.hpp"

#include <cstddef>
#include <mutex>
#include <vector>

namespace runner {

/// The launches of a call. Thread-safe.
class LaunchRecord {
  public:
    explicit LaunchRecord(const EventTimes& times) : times_(times) {}

    /// Adds a launch whose end `event` reports. Throws cl::Error like wait().
    void add(wire::Launch launch, const cl::Event& event);
    /// Waits for all launches and reads their times. Throws cl::Error if one failed on the device.
    void wait();
    /// Returns the launches that have been waited for, in order.
    std::vector<wire::Launch> take();
    /// Asks OpenCL which launches have ended and writes that to the journal. Does not wait, not even
    /// for a thread that waits for launches.
    void count_completed(wire::Journal& journal);
    /// Forgets all launches.
    void clear();

  private:
    struct Pending {
        wire::Launch launch;
        cl::Event event;
    };

    void settle(std::size_t keep);

    const EventTimes& times_;
    std::mutex mutex_;
    std::vector<Pending> pending_;
    std::vector<wire::Launch> settled_;
    std::mutex events_mutex_;       ///< held only for moments, so that count_completed() gets it
    std::vector<cl::Event> events_; ///< of all launches of this call
};

} // namespace runner
