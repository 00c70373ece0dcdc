/// OpenCL's C functions that the harness watches. A program's own definitions take precedence over
/// those of a shared library, so calls of student code, through cl.h or opencl.hpp, come here
/// first. These functions then call the OpenCL library.

#include "runner/real_calls.hpp"
#include "runner/recorder.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

using runner::CommandOrder;
using runner::Enqueued;
using runner::recorder;
using runner::Use;
using wire::HostCommand;

namespace {

/// Notes which OpenCL function the host is in, in case it does not return.
class CallScope {
  public:
    explicit CallScope(const char* function) { recorder().on_call(function); }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;
    ~CallScope() { recorder().on_call(""); }
};

/// Returns `error`, after noting the arguments of `function` if it failed. `pattern_size`: of a fill.
cl_int checked_transfer(cl_int error, const char* function, cl_mem buffer, std::size_t offset,
                        std::size_t size, const void* host, std::size_t pattern_size = 0) {
    if (error != CL_SUCCESS && recorder().recording()) {
        std::size_t buffer_size = 0;
        clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof buffer_size, &buffer_size, nullptr);
        recorder().on_failure(function,
                              {.code = error,
                               .request = wire::FailedCall::Request::transfer,
                               .offset = offset,
                               .size = size,
                               .limit = buffer_size,
                               .pattern_size = pattern_size,
                               .has_pointer = host != nullptr ? 1U : 0U},
                              buffer);
    }
    return error;
}

wire::FailedCall failed_kernel(cl_int error, const char* name) {
    wire::FailedCall call{.code = error, .request = wire::FailedCall::Request::kernel};
    wire::set_name(call.kernel, name == nullptr ? "" : name);
    return call;
}

/// Lets the host's function be called.
void CL_CALLBACK call_back(cl_event event, cl_int status, void* data) {
    const std::unique_ptr<runner::Callback> callback(static_cast<runner::Callback*>(data));
    callback->event = cl::Event(event, true);
    callback->status = status;
    recorder().on_callback(std::move(*callback));
}

std::size_t volume(const std::size_t* region) {
    return region == nullptr ? 0 : region[0] * region[1] * region[2];
}

/// Returns the contiguous pieces of a box of memory: its rows, or the whole box. With a pitch of 0,
/// rows or slices follow each other without gaps.
std::vector<wire::ByteRange> pieces_of_box(const std::size_t* origin, const std::size_t* region,
                                           std::size_t row_pitch, std::size_t slice_pitch) {
    if (origin == nullptr || region == nullptr)
        return {}; // OpenCL has rejected the call
    const std::size_t row = row_pitch == 0 ? region[0] : row_pitch;
    const std::size_t slice = slice_pitch == 0 ? region[1] * row : slice_pitch;
    const std::size_t first = origin[2] * slice + origin[1] * row + origin[0];
    if (row == region[0] && (slice == region[1] * row || region[2] == 1))
        return {{first, volume(region)}};
    std::vector<wire::ByteRange> pieces;
    for (std::size_t k = 0; k < region[2]; ++k) {
        for (std::size_t j = 0; j < region[1]; ++j)
            pieces.push_back({first + k * slice + j * row, region[0]});
    }
    return pieces;
}

std::vector<Use> uses_of_box(cl_mem buffer, bool writes,
                             const std::vector<wire::ByteRange>& pieces) {
    std::vector<Use> uses;
    std::ranges::transform(pieces, std::back_inserter(uses), [&](const auto& piece) {
        return Use{buffer, piece.offset, piece.size, writes};
    });
    return uses;
}

/// Notes a read into `pieces` of the host's memory.
void note_read(const CommandOrder::Command& command,
               const std::vector<std::span<std::byte>>& pieces, bool delayed) {
    if (delayed || command.how.blocking) {
        for (const std::span<std::byte>& piece : pieces)
            recorder().on_read_done(piece.data(), piece.size());
    }
    if (command.how.blocking)
        recorder().on_all_done();
    if (delayed)
        recorder().on_delayed_read(command, pieces);
    else
        recorder().on_transfer(command, pieces.empty() ? nullptr : pieces.front().data(), true,
                               [pieces] {
                                   for (const std::span<std::byte>& piece : pieces)
                                       recorder().on_read_arrived(piece.data(), piece.size());
                               });
}

} // namespace

// The names and parameters are OpenCL's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void* value,
                       size_t* size_needed) {
    return recorder().get_device_info(device, name, size, value, size_needed);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info name, size_t size, void* value,
                                size_t* size_needed) {
    return recorder().get_kernel_work_group_info(kernel, device, name, size, value, size_needed);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int* error) {
    // Every queue has to report kernel times, including queues that a student creates.
    auto* const queue = REAL_CALL(clCreateCommandQueue)(
        context, device, properties | CL_QUEUE_PROFILING_ENABLE, error);
    if (queue != nullptr)
        recorder().on_create_queue(queue, properties);
    return queue;
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t size,
                             void* value, size_t* size_needed) {
    const cl_int error = REAL_CALL(clGetCommandQueueInfo)(queue, name, size, value, size_needed);
    if (error == CL_SUCCESS && name == CL_QUEUE_PROPERTIES && value != nullptr) {
        auto& properties = *static_cast<cl_command_queue_properties*>(value);
        properties = recorder().properties_of(queue, properties);
    }
    return error;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host,
                      cl_int* error) {
    return recorder().create_buffer(context, flags, size, host, error);
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                         const void* info, cl_int* error) {
    return recorder().create_sub_buffer(buffer, flags, type, info, error);
}

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* error) {
    cl_int status = CL_SUCCESS;
    const cl_kernel kernel = REAL_CALL(clCreateKernel)(program, name, &status);
    if (status == CL_SUCCESS)
        recorder().on_create_kernel(kernel);
    else
        recorder().on_failure("clCreateKernel", failed_kernel(status, name));
    if (error != nullptr)
        *error = status;
    return kernel;
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint size, cl_kernel* kernels,
                                cl_uint* count) {
    cl_uint created = 0;
    const cl_int error = REAL_CALL(clCreateKernelsInProgram)(program, size, kernels, &created);
    if (error == CL_SUCCESS && kernels != nullptr) {
        for (cl_uint i = 0; i < created; ++i)
            recorder().on_create_kernel(kernels[i]);
    }
    if (count != nullptr)
        *count = created;
    return error;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
    return recorder().set_kernel_arg(kernel, index, size, value);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local,
                              cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    const CallScope scope("clEnqueueNDRangeKernel");
    return recorder().enqueue_nd_range_kernel(
        {queue, kernel, dimensions, offset, global, local, wait_count, wait_list, event});
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                     const cl_event* wait_list, cl_event* event) {
    const size_t one = 1; // by definition of clEnqueueTask
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, wait_count, wait_list,
                                  event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void* data, cl_uint wait_count, const cl_event* wait_list,
                           cl_event* event) {
    const CallScope scope("clEnqueueReadBuffer");
    recorder().on_read(size, {static_cast<const std::byte*>(data), size});
    const bool delayed = blocking == CL_FALSE && recorder().delays_reads();
    const bool waits = delayed || recorder().makes_blocking(wire::Blocking::reads);
    const cl_int error =
        REAL_CALL(clEnqueueReadBuffer)(queue, buffer, waits ? CL_TRUE : blocking, offset, size,
                                       data, wait_count, wait_list, event);
    if (error == CL_SUCCESS)
        note_read({HostCommand::read,
                   {queue, wait_count, wait_list, event, blocking == CL_TRUE},
                   {{buffer, offset, size}}},
                  {{static_cast<std::byte*>(data), size}}, delayed);
    return checked_transfer(error, "clEnqueueReadBuffer", buffer, offset, size, data);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               const size_t* buffer_origin, const size_t* host_origin,
                               const size_t* region, size_t buffer_row_pitch,
                               size_t buffer_slice_pitch, size_t host_row_pitch,
                               size_t host_slice_pitch, void* data, cl_uint wait_count,
                               const cl_event* wait_list, cl_event* event) {
    const CallScope scope("clEnqueueReadBufferRect");
    recorder().on_read(volume(region));
    const bool delayed = blocking == CL_FALSE && recorder().delays_reads();
    const cl_int error = REAL_CALL(clEnqueueReadBufferRect)(
        queue, buffer, delayed ? CL_TRUE : blocking, buffer_origin, host_origin, region,
        buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, data, wait_count,
        wait_list, event);
    if (error != CL_SUCCESS)
        return error;
    std::vector<std::span<std::byte>> pieces;
    for (const wire::ByteRange& piece :
         pieces_of_box(host_origin, region, host_row_pitch, host_slice_pitch))
        pieces.emplace_back(static_cast<std::byte*>(data) + piece.offset, piece.size);
    note_read(
        {HostCommand::read_rect,
         {queue, wait_count, wait_list, event, blocking == CL_TRUE},
         uses_of_box(buffer, false,
                     pieces_of_box(buffer_origin, region, buffer_row_pitch, buffer_slice_pitch))},
        pieces, delayed);
    return error;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void* data, cl_uint wait_count,
                            const cl_event* wait_list, cl_event* event) {
    const CallScope scope("clEnqueueWriteBuffer");
    if (const auto refused = recorder().refusal_of_source(data, size)) {
        recorder().on_failure("clEnqueueWriteBuffer", *refused);
        return refused->code;
    }
    recorder().on_host_write(buffer, offset, size, data);
    const cl_int error = REAL_CALL(clEnqueueWriteBuffer)(
        queue, buffer, recorder().makes_blocking(wire::Blocking::writes) ? CL_TRUE : blocking,
        offset, size, data, wait_count, wait_list, event);
    if (error == CL_SUCCESS)
        recorder().on_write({HostCommand::write,
                             {queue, wait_count, wait_list, event, blocking == CL_TRUE},
                             {{buffer, offset, size, true}}},
                            {static_cast<const std::byte*>(data), size});
    return checked_transfer(error, "clEnqueueWriteBuffer", buffer, offset, size, data);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const size_t* buffer_origin, const size_t* host_origin,
                                const size_t* region, size_t buffer_row_pitch,
                                size_t buffer_slice_pitch, size_t host_row_pitch,
                                size_t host_slice_pitch, const void* data, cl_uint wait_count,
                                const cl_event* wait_list, cl_event* event) {
    recorder().on_host_write(buffer, 0, volume(region), nullptr);
    const cl_int error = REAL_CALL(clEnqueueWriteBufferRect)(
        queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row_pitch,
        buffer_slice_pitch, host_row_pitch, host_slice_pitch, data, wait_count, wait_list, event);
    if (error == CL_SUCCESS)
        recorder().on_transfer({HostCommand::write_rect,
                                {queue, wait_count, wait_list, event, blocking == CL_TRUE},
                                uses_of_box(buffer, true,
                                            pieces_of_box(buffer_origin, region, buffer_row_pitch,
                                                          buffer_slice_pitch))},
                               nullptr, false);
    return error;
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                           const cl_event* wait_list, cl_event* event) {
    recorder().on_host_write(buffer, offset, size, nullptr);
    const cl_int error = REAL_CALL(clEnqueueFillBuffer)(queue, buffer, pattern, pattern_size,
                                                        offset, size, wait_count, wait_list, event);
    if (error == CL_SUCCESS) {
        std::vector<std::uint32_t> words((pattern_size + sizeof(std::uint32_t) - 1) /
                                         sizeof(std::uint32_t));
        std::memcpy(words.data(), pattern, pattern_size);
        recorder().on_command({.command = HostCommand::fill,
                               .how = {queue, wait_count, wait_list, event},
                               .uses = {{buffer, offset, size, true}},
                               .pattern = std::move(words)});
    }
    return checked_transfer(error, "clEnqueueFillBuffer", buffer, offset, size, pattern,
                            pattern_size);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
                           size_t source_offset, size_t target_offset, size_t size,
                           cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    recorder().on_host_write(target, target_offset, size, nullptr);
    const cl_int error = REAL_CALL(clEnqueueCopyBuffer)(
        queue, source, target, source_offset, target_offset, size, wait_count, wait_list, event);
    if (error == CL_SUCCESS)
        recorder().on_command(
            {HostCommand::copy,
             {queue, wait_count, wait_list, event},
             {{source, source_offset, size}, {target, target_offset, size, true}}});
    return checked_transfer(error, "clEnqueueCopyBuffer", target, target_offset, size, target);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target,
                               const size_t* source_origin, const size_t* target_origin,
                               const size_t* region, size_t source_row_pitch,
                               size_t source_slice_pitch, size_t target_row_pitch,
                               size_t target_slice_pitch, cl_uint wait_count,
                               const cl_event* wait_list, cl_event* event) {
    recorder().on_host_write(target, 0, volume(region), nullptr);
    const cl_int error = REAL_CALL(clEnqueueCopyBufferRect)(
        queue, source, target, source_origin, target_origin, region, source_row_pitch,
        source_slice_pitch, target_row_pitch, target_slice_pitch, wait_count, wait_list, event);
    if (error != CL_SUCCESS)
        return error;
    std::vector<Use> uses = uses_of_box(
        source, false, pieces_of_box(source_origin, region, source_row_pitch, source_slice_pitch));
    const std::vector<Use> written = uses_of_box(
        target, true, pieces_of_box(target_origin, region, target_row_pitch, target_slice_pitch));
    uses.insert(uses.end(), written.begin(), written.end());
    recorder().on_command(
        {HostCommand::copy_rect, {queue, wait_count, wait_list, event}, std::move(uses)});
    return error;
}

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                         const cl_event* wait_list, cl_event* event, cl_int* error) {
    const CallScope scope("clEnqueueMapBuffer");
    const bool reads = (flags & CL_MAP_READ) != 0;
    const bool writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
    if (reads)
        recorder().on_read(size);
    if (writes)
        recorder().on_host_write(buffer, offset, size, nullptr);
    const bool delayed = blocking == CL_FALSE && reads && recorder().delays_reads();
    void* const device =
        REAL_CALL(clEnqueueMapBuffer)(queue, buffer, delayed ? CL_TRUE : blocking, flags, offset,
                                      size, wait_count, wait_list, event, error);
    if (device == nullptr)
        return nullptr;
    CommandOrder::Command command{
        HostCommand::map, {queue, wait_count, wait_list, event, blocking == CL_TRUE}, {}};
    if (reads || (flags & CL_MAP_WRITE) != 0)
        command.uses.push_back({buffer, offset, size});
    return recorder().on_map(
        command, {buffer, offset, size, reads, writes, delayed || blocking == CL_TRUE, delayed},
        device);
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void* host,
                               cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    const auto [device, uses] = recorder().on_unmap(host);
    const cl_int error =
        REAL_CALL(clEnqueueUnmapMemObject)(queue, buffer, device, wait_count, wait_list, event);
    if (error == CL_SUCCESS)
        recorder().on_command({HostCommand::unmap, {queue, wait_count, wait_list, event}, uses});
    else if (error == CL_INVALID_VALUE) // by this name, the C++ bindings report it
        recorder().on_failure("clEnqueueUnMapMemObject",
                              {.code = error, .reason = wire::FailedCall::Reason::not_mapped});
    return error;
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count, const cl_mem* buffers,
                                  cl_mem_migration_flags flags, cl_uint wait_count,
                                  const cl_event* wait_list, cl_event* event) {
    const cl_int error = REAL_CALL(clEnqueueMigrateMemObjects)(queue, count, buffers, flags,
                                                               wait_count, wait_list, event);
    if (error == CL_SUCCESS)
        recorder().on_command({HostCommand::migrate, {queue, wait_count, wait_list, event}, {}});
    return error;
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                   const cl_event* wait_list, cl_event* event) {
    const cl_int error =
        REAL_CALL(clEnqueueMarkerWithWaitList)(queue, wait_count, wait_list, event);
    if (error == CL_SUCCESS)
        recorder().on_command({HostCommand::marker,
                               {queue, wait_count, wait_list, event, false, Enqueued::Kind::marker},
                               {}});
    return error;
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                    const cl_event* wait_list, cl_event* event) {
    const cl_int error =
        REAL_CALL(clEnqueueBarrierWithWaitList)(queue, wait_count, wait_list, event);
    if (error == CL_SUCCESS)
        recorder().on_command(
            {HostCommand::barrier,
             {queue, wait_count, wait_list, event, false, Enqueued::Kind::barrier},
             {}});
    return error;
}

// The equivalents in OpenCL 1.1.
cl_int clEnqueueMarker(cl_command_queue queue, cl_event* event) {
    return clEnqueueMarkerWithWaitList(queue, 0, nullptr, event);
}

cl_int clEnqueueBarrier(cl_command_queue queue) {
    return clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr);
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event* events) {
    return clEnqueueBarrierWithWaitList(queue, count, events, nullptr);
}

cl_int clFinish(cl_command_queue queue) {
    const CallScope scope("clFinish");
    const cl_int error = REAL_CALL(clFinish)(queue);
    if (error == CL_SUCCESS) {
        recorder().on_all_done();
        recorder().on_finished(queue);
    }
    return error;
}

cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
    const CallScope scope("clWaitForEvents");
    const cl_int error = REAL_CALL(clWaitForEvents)(count, events);
    if (error == CL_SUCCESS) {
        recorder().on_all_done();
        recorder().on_waited_for(count, events);
    }
    return error;
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t size, void* value,
                      size_t* size_needed) {
    const cl_int error = REAL_CALL(clGetEventInfo)(event, name, size, value, size_needed);
    auto* const status = static_cast<cl_int*>(value);
    if (error == CL_SUCCESS && name == CL_EVENT_COMMAND_EXECUTION_STATUS && status != nullptr &&
        *status == CL_COMPLETE)
        *status = recorder().status_of_ended(event);
    return error;
}

cl_event clCreateUserEvent(cl_context context, cl_int* error) {
    auto* const event = REAL_CALL(clCreateUserEvent)(context, error);
    if (event == nullptr)
        return event;
    if (recorder().waits_for_launches())
        REAL_CALL(clSetUserEventStatus)(event, CL_COMPLETE);
    else
        recorder().on_user_event();
    return event;
}

cl_int clSetUserEventStatus(cl_event event, cl_int status) {
    recorder().on_set_user_event(event, status);
    return recorder().waits_for_launches() ? CL_SUCCESS
                                           : REAL_CALL(clSetUserEventStatus)(event, status);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t size, void* value,
                               size_t* size_needed) {
    return recorder().get_event_profiling_info(event, name, size, value, size_needed);
}

cl_int clSetEventCallback(cl_event event, cl_int status,
                          void(CL_CALLBACK* function)(cl_event, cl_int, void*), void* data) {
    if (function == nullptr)
        return REAL_CALL(clSetEventCallback)(event, status, function, data);
    auto callback = std::make_unique<runner::Callback>(runner::Callback{function, data});
    const cl_int error = REAL_CALL(clSetEventCallback)(event, status, call_back, callback.get());
    if (error == CL_SUCCESS)
        static_cast<void>(callback.release()); // call_back() owns it, or has already deleted it
    return error;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
