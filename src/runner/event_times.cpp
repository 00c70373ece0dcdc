#include "runner/event_times.hpp"

#include "runner/real_calls.hpp"

namespace runner {

void EventTimes::on_create_queue(cl_command_queue queue, cl_command_queue_properties properties) {
    const std::lock_guard lock(mutex_);
    if ((properties & CL_QUEUE_PROFILING_ENABLE) == 0)
        unprofiled_queues_.insert(queue);
    else
        unprofiled_queues_.erase(queue);
}

cl_command_queue_properties EventTimes::properties_of(cl_command_queue queue,
                                                      cl_command_queue_properties own) const {
    const std::lock_guard lock(mutex_);
    return !unprofiled_queues_.contains(queue) ? own : own & ~CL_QUEUE_PROFILING_ENABLE;
}

bool EventTimes::is_unprofiled(cl_event event) const {
    cl_command_queue queue = nullptr;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): a handle
    REAL_CALL(clGetEventInfo)(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
    const std::lock_guard lock(mutex_);
    return unprofiled_queues_.contains(queue);
}

bool EventTimes::is_asked_too_early(cl_event event, bool host_knows) {
    const std::lock_guard lock(mutex_);
    return !host_knows && asked_too_early_.insert(event).second;
}

void EventTimes::took_elsewhere(cl_event event, std::uint64_t nanoseconds) {
    const std::lock_guard lock(mutex_);
    elsewhere_[event] = nanoseconds;
}

bool EventTimes::is_of_replaced_launch(cl_event event) const {
    const std::lock_guard lock(mutex_);
    return elsewhere_.contains(event);
}

cl_int EventTimes::info(cl_event event, cl_profiling_info name, std::size_t size, void* value,
                        std::size_t* size_needed) const {
    bool is_elsewhere = false;
    std::uint64_t added = 0;
    {
        const std::lock_guard lock(mutex_);
        const auto known = elsewhere_.find(event);
        is_elsewhere = known != elsewhere_.end();
        added = is_elsewhere ? known->second : added_time_; // the first one contains the other
    }
    const bool asks_for_end = name == CL_PROFILING_COMMAND_END && value != nullptr;
    if (asks_for_end && is_elsewhere)
        name = CL_PROFILING_COMMAND_START;
    const cl_int error = REAL_CALL(clGetEventProfilingInfo)(event, name, size, value, size_needed);
    if (asks_for_end && error == CL_SUCCESS)
        *static_cast<cl_ulong*>(value) += added;
    return error;
}

void EventTimes::begin_call(std::uint64_t added_time) {
    const std::lock_guard lock(mutex_);
    added_time_ = added_time;
}

void EventTimes::forget_events() {
    const std::lock_guard lock(mutex_);
    asked_too_early_.clear();
    elsewhere_.clear();
}

} // namespace runner
