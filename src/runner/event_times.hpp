#pragma once

#include "runner/lab.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace runner {

/// The device times of commands: all queues measure them for the harness, but the host gets only
/// those that every device would give it. Thread-safe; the lock is held only for moments.
class EventTimes {
  public:
    /// A queue was created; the student asked for these properties.
    void on_create_queue(cl_command_queue queue, cl_command_queue_properties properties);
    /// Returns the properties that the student created a queue with.
    cl_command_queue_properties properties_of(cl_command_queue queue,
                                              cl_command_queue_properties own) const;
    /// Whether the event is that of a command in a queue without profiling.
    bool is_unprofiled(cl_event event) const;
    /// Whether the host may not learn the times of this event yet: it does not know that the
    /// command has ended, and asks for the first time. A host that asks repeatedly until there is a
    /// time waits in that way.
    bool is_asked_too_early(cl_event event, bool host_knows);
    /// The event is of a marker that replaces a launch, which took so long elsewhere.
    void took_elsewhere(cl_event event, std::uint64_t nanoseconds);
    /// Whether the event is of such a marker.
    bool is_of_replaced_launch(cl_event event) const;
    /// Does what clGetEventProfilingInfo does. A marker that replaces a launch ends when the launch
    /// would have ended.
    cl_int info(cl_event event, cl_profiling_info name, std::size_t size, void* value,
                std::size_t* size_needed) const;
    /// A new call, in which every command seems to take that many nanoseconds longer.
    void begin_call(std::uint64_t added_time);
    /// Forgets all events.
    void forget_events();

  private:
    mutable std::mutex mutex_;
    std::set<cl_command_queue> unprofiled_queues_;
    std::set<cl_event> asked_too_early_;
    std::map<cl_event, std::uint64_t> elsewhere_; ///< ns
    std::uint64_t added_time_ = 0;                ///< ns
};

} // namespace runner
