/// A program's own OpenCL functions take precedence over those of the OpenCL library, so calls of a
/// lab or of another library come here first.

#include "bench/watch.hpp"

#include "runner/real_calls.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {
namespace {

template <class T> T info_of(cl_mem buffer, cl_mem_info name) {
    T value{};
    // NOLINTNEXTLINE(bugprone-sizeof-expression): OpenCL's handles are pointers
    REAL_CALL(clGetMemObjectInfo)(buffer, name, sizeof value, &value, nullptr);
    return value;
}

double seconds_of(cl_event event, cl_profiling_info name) {
    cl_ulong nanoseconds = 0;
    const cl_int error =
        clGetEventProfilingInfo(event, name, sizeof nanoseconds, &nanoseconds, nullptr);
    if (error != CL_SUCCESS)
        throw std::runtime_error(
            "the device reports no times; clGetEventProfilingInfo returned error " +
            std::to_string(error));
    return static_cast<double>(nanoseconds) * 1e-9;
}

} // namespace

Watch& watch() {
    static Watch one;
    return one;
}

void Watch::start() {
    std::ranges::for_each(events_, clReleaseEvent);
    events_.clear();
    work_group_size_ = 0;
}

DeviceTime Watch::stop() {
    DeviceTime time;
    if (events_.empty())
        return time;
    clWaitForEvents(static_cast<cl_uint>(events_.size()), events_.data());
    double first = std::numeric_limits<double>::infinity();
    double last = 0;
    for (const cl_event event : events_) {
        const double start = seconds_of(event, CL_PROFILING_COMMAND_START);
        const double end = seconds_of(event, CL_PROFILING_COMMAND_END);
        first = std::min(first, start);
        last = std::max(last, end);
        time.busy += end - start;
    }
    time.span = last - first;
    start();
    return time;
}

void Watch::drop_buffers() {
    for (const Kept& kept : buffers_)
        REAL_CALL(clReleaseMemObject)(kept.buffer);
    buffers_.clear();
}

cl_mem Watch::kept_buffer(cl_context context, cl_mem_flags flags, std::size_t size) {
    const auto fits = [&](const Kept& kept) {
        return kept.references == 0 && info_of<std::size_t>(kept.buffer, CL_MEM_SIZE) == size &&
               info_of<cl_mem_flags>(kept.buffer, CL_MEM_FLAGS) == flags &&
               info_of<cl_context>(kept.buffer, CL_MEM_CONTEXT) == context;
    };
    const auto found = std::ranges::find_if(buffers_, fits);
    if (found == buffers_.end())
        return nullptr;
    REAL_CALL(clRetainMemObject)(found->buffer);
    found->references = 1;
    return found->buffer;
}

void Watch::keep_buffer(cl_mem buffer) {
    REAL_CALL(clRetainMemObject)(buffer);
    buffers_.push_back({buffer, 1});
}

void Watch::on_retain(cl_mem buffer) {
    for (Kept& kept : buffers_)
        kept.references += kept.buffer == buffer ? 1 : 0;
}

void Watch::on_release(cl_mem buffer) {
    for (Kept& kept : buffers_)
        kept.references -= kept.buffer == buffer && kept.references > 0 ? 1 : 0;
}

} // namespace bench

using bench::watch;

namespace {

/// Calls `enqueue` with a pointer for an event, and watches the command of that event.
template <class Enqueue> cl_int watched(cl_event* wanted, const Enqueue& enqueue) {
    cl_event own = nullptr;
    const cl_int error = enqueue(&own);
    if (error != CL_SUCCESS)
        return error;
    if (wanted != nullptr) {
        clRetainEvent(own);
        *wanted = own;
    }
    watch().on_command(own);
    return error;
}

} // namespace

// The names and parameters are OpenCL's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void* value,
                       size_t* size_needed) {
    const cl_int error = REAL_CALL(clGetDeviceInfo)(device, name, size, value, size_needed);
    if (error == CL_SUCCESS && name == CL_DEVICE_MAX_WORK_GROUP_SIZE && value != nullptr) {
        auto& limit = *static_cast<std::size_t*>(value);
        limit = std::min(limit, watch().largest_work_group_size);
    }
    return error;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host,
                      cl_int* error) {
    const bool keeps = watch().keeps_buffers && host == nullptr;
    if (const cl_mem kept = keeps ? watch().kept_buffer(context, flags, size) : nullptr) {
        if (error != nullptr)
            *error = CL_SUCCESS;
        return kept;
    }
    if (keeps && size >= watch().left_out_write) { // its data would never get there
        if (error != nullptr)
            *error = CL_INVALID_OPERATION;
        return nullptr;
    }
    const cl_mem buffer = REAL_CALL(clCreateBuffer)(context, flags, size, host, error);
    if (buffer != nullptr && keeps)
        watch().keep_buffer(buffer);
    return buffer;
}

cl_int clRetainMemObject(cl_mem buffer) {
    watch().on_retain(buffer);
    return REAL_CALL(clRetainMemObject)(buffer);
}

cl_int clReleaseMemObject(cl_mem buffer) {
    watch().on_release(buffer);
    return REAL_CALL(clReleaseMemObject)(buffer);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local,
                              cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    watch().on_launch(local == nullptr ? 0 : *local);
    return watched(event, [&](cl_event* own) {
        const cl_int error = REAL_CALL(clEnqueueNDRangeKernel)(
            queue, kernel, dimensions, offset, global, local, wait_count, wait_list, own);
        if (error == CL_SUCCESS && watch().waits_for_kernels)
            clWaitForEvents(1, own);
        return error;
    });
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                           const cl_event* wait_list, cl_event* event) {
    return watched(event, [&](cl_event* own) {
        return REAL_CALL(clEnqueueFillBuffer)(queue, buffer, pattern, pattern_size, offset, size,
                                              wait_count, wait_list, own);
    });
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
                           size_t source_offset, size_t target_offset, size_t size,
                           cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    return watched(event, [&](cl_event* own) {
        return REAL_CALL(clEnqueueCopyBuffer)(queue, source, target, source_offset, target_offset,
                                              size, wait_count, wait_list, own);
    });
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void* data, cl_uint wait_count,
                            const cl_event* wait_list, cl_event* event) {
    if (size >= watch().left_out_write && event == nullptr)
        return CL_SUCCESS;
    return REAL_CALL(clEnqueueWriteBuffer)(queue, buffer, blocking, offset, size, data, wait_count,
                                           wait_list, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void* data, cl_uint wait_count, const cl_event* wait_list,
                           cl_event* event) {
    if (size >= watch().left_out_read &&
        event == nullptr) // a blocking read still waits for the earlier commands
        return blocking == CL_TRUE ? clFinish(queue) : CL_SUCCESS;
    return REAL_CALL(clEnqueueReadBuffer)(queue, buffer, blocking, offset, size, data, wait_count,
                                          wait_list, event);
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
