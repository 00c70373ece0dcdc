#include "runner/launch_record.hpp"

#include "runner/real_calls.hpp"

#include <utility>

namespace runner {
namespace {

/// The most launches whose events are kept before the oldest are read out.
constexpr std::size_t max_pending = 4096;

bool has_completed(const cl::Event& event) {
    cl_int status = CL_QUEUED;
    REAL_CALL(clGetEventInfo)
    (event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    return status == CL_COMPLETE;
}

} // namespace

void LaunchRecord::add(wire::Launch launch, const cl::Event& event) {
    {
        const std::lock_guard lock(events_mutex_);
        events_.push_back(event);
    }
    const std::lock_guard lock(mutex_);
    pending_.push_back({std::move(launch), event});
    if (pending_.size() > max_pending)
        settle(max_pending / 2);
}

void LaunchRecord::wait() {
    const std::lock_guard lock(mutex_);
    settle(0);
}

/// Waits for all launches but the last `keep` and reads their times.
void LaunchRecord::settle(std::size_t keep) {
    if (pending_.size() <= keep)
        return;
    const auto last = pending_.end() - static_cast<std::ptrdiff_t>(keep);
    for (auto it = pending_.begin(); it != last; ++it) {
        // Not by the watched calls, which record what the host knows.
        const cl_int ended = REAL_CALL(clWaitForEvents)(1, &it->event());
        if (ended != CL_SUCCESS)
            throw cl::Error(ended, "clWaitForEvents");
        const auto time = [&](cl_profiling_info name) {
            cl_ulong nanoseconds = 0;
            const cl_int error =
                times_.info(it->event(), name, sizeof nanoseconds, &nanoseconds, nullptr);
            if (error != CL_SUCCESS)
                throw cl::Error(error, "clGetEventProfilingInfo");
            return nanoseconds;
        };
        it->launch.nanoseconds = time(CL_PROFILING_COMMAND_END) - time(CL_PROFILING_COMMAND_START);
        settled_.push_back(std::move(it->launch));
    }
    pending_.erase(pending_.begin(), last);
}

std::vector<wire::Launch> LaunchRecord::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(settled_, {});
}

void LaunchRecord::count_completed(wire::Journal& journal) {
    const std::lock_guard lock(events_mutex_);
    std::uint32_t completed = journal.completed;
    while (completed < events_.size() && has_completed(events_[completed]))
        ++completed;
    journal.completed = completed;
    ++journal.inquiries;
}

void LaunchRecord::clear() {
    {
        const std::lock_guard lock(events_mutex_);
        events_.clear();
    }
    const std::lock_guard lock(mutex_);
    pending_.clear();
    settled_.clear();
}

} // namespace runner
