/// OpenCL's C functions that the harness watches. A program's own definitions come before those of
/// a shared library, so whatever student code calls, through cl.h or through opencl.hpp, passes
/// here first and goes on to the OpenCL library from here.

#include "runner/real_calls.hpp"
#include "runner/recorder.hpp"

#include <cstdint>
#include <sstream>
#include <tuple>

using runner::recorder;

namespace {

/// Notes which OpenCL function the host is in, for the case that it does not come back.
class CallScope {
  public:
    explicit CallScope(const char* function) { recorder().on_call(function); }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;
    CallScope(CallScope&&) = delete;
    CallScope& operator=(CallScope&&) = delete;
    ~CallScope() { recorder().on_call(""); }
};

/// Passes `error` on, after noting what `function` was asked to do if it failed.
cl_int checked_transfer(cl_int error, const char* function, cl_mem buffer, std::size_t offset,
                        std::size_t size, const void* host) {
    if (error != CL_SUCCESS && recorder().recording()) {
        std::size_t buffer_size = 0;
        clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof buffer_size, &buffer_size, nullptr);
        std::ostringstream detail;
        detail << size << " bytes from byte " << offset << " on, of a buffer of " << buffer_size
               << " bytes";
        if (host == nullptr)
            detail << "; the host pointer is null, as that of an empty vector is";
        if (size > PTRDIFF_MAX || offset > PTRDIFF_MAX)
            detail << "; a number this large is one that went below 0";
        recorder().on_failure(function, detail.str());
    }
    return error;
}

/// Passes `error` on, after noting that the host has waited if there was none.
cl_int waited(cl_int error) {
    if (error == CL_SUCCESS)
        recorder().on_waited();
    return error;
}

/// The same where the host has waited for all that was launched.
cl_int synchronised(cl_int error) {
    if (error == CL_SUCCESS)
        recorder().on_synchronised();
    return waited(error);
}

std::size_t volume(const std::size_t* region) {
    return region == nullptr ? 0 : region[0] * region[1] * region[2];
}

/// A box of the host's memory, as a command gives it that moves one.
struct HostBox {
    std::byte* data;
    const std::size_t* origin;
    const std::size_t* region;
    std::size_t row_pitch; ///< 0: rows follow one another
    std::size_t slice_pitch;
};

/// Calls `function` with each piece of `box` that lies together, and its size: a row, or all of them.
template <class Function> void for_each_piece(const HostBox& box, const Function& function) {
    const auto [x, y, z] = std::make_tuple(box.origin[0], box.origin[1], box.origin[2]);
    const std::size_t row = box.row_pitch == 0 ? box.region[0] : box.row_pitch;
    const std::size_t slice = box.slice_pitch == 0 ? box.region[1] * row : box.slice_pitch;
    std::byte* const first = box.data + z * slice + y * row + x;
    if (row == box.region[0] && (slice == box.region[1] * row || box.region[2] == 1)) {
        function(first, volume(box.region));
        return;
    }
    for (std::size_t k = 0; k < box.region[2]; ++k) {
        for (std::size_t j = 0; j < box.region[1]; ++j)
            function(first + k * slice + j * row, box.region[0]);
    }
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
    // Kernel times are wanted from every queue, also from those that a student makes.
    return REAL_CALL(clCreateCommandQueue)(context, device, properties | CL_QUEUE_PROFILING_ENABLE,
                                           error);
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
        recorder().on_failure("clCreateKernel", std::string("kernel name ") + name);
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
    recorder().on_queue(queue);
    const CallScope scope("clEnqueueNDRangeKernel");
    return recorder().enqueue_nd_range_kernel(queue, kernel, dimensions, offset, global, local,
                                              wait_count, wait_list, event);
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
    recorder().on_queue(queue);
    const CallScope scope("clEnqueueReadBuffer");
    recorder().on_read(size, blocking == CL_TRUE);
    const bool delayed = blocking == CL_FALSE && recorder().delays_reads();
    const cl_int error =
        REAL_CALL(clEnqueueReadBuffer)(queue, buffer, delayed ? CL_TRUE : blocking, offset, size,
                                       data, wait_count, wait_list, event);
    if (error == CL_SUCCESS && (delayed || blocking == CL_TRUE))
        recorder().on_read_done(data, size);
    if (blocking == CL_TRUE)
        synchronised(error);
    else if (delayed && error == CL_SUCCESS)
        recorder().delay_read(data, size);
    return checked_transfer(error, "clEnqueueReadBuffer", buffer, offset, size, data);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               const size_t* buffer_origin, const size_t* host_origin,
                               const size_t* region, size_t buffer_row_pitch,
                               size_t buffer_slice_pitch, size_t host_row_pitch,
                               size_t host_slice_pitch, void* data, cl_uint wait_count,
                               const cl_event* wait_list, cl_event* event) {
    recorder().on_queue(queue);
    const CallScope scope("clEnqueueReadBufferRect");
    recorder().on_read(volume(region), blocking == CL_TRUE);
    const bool delayed = blocking == CL_FALSE && recorder().delays_reads();
    const cl_int error = REAL_CALL(clEnqueueReadBufferRect)(
        queue, buffer, delayed ? CL_TRUE : blocking, buffer_origin, host_origin, region,
        buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, data, wait_count,
        wait_list, event);
    const HostBox box{static_cast<std::byte*>(data), host_origin, region, host_row_pitch,
                      host_slice_pitch};
    if (error == CL_SUCCESS && (delayed || blocking == CL_TRUE))
        for_each_piece(box,
                       [](void* host, std::size_t size) { recorder().on_read_done(host, size); });
    if (blocking == CL_TRUE)
        synchronised(error);
    else if (delayed && error == CL_SUCCESS)
        for_each_piece(box,
                       [](void* host, std::size_t size) { recorder().delay_read(host, size); });
    return error;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void* data, cl_uint wait_count,
                            const cl_event* wait_list, cl_event* event) {
    recorder().on_queue(queue);
    const CallScope scope("clEnqueueWriteBuffer");
    recorder().on_host_write(buffer, offset, size, data);
    const cl_int error = REAL_CALL(clEnqueueWriteBuffer)(queue, buffer, blocking, offset, size,
                                                         data, wait_count, wait_list, event);
    if (blocking == CL_TRUE)
        waited(error);
    else if (error == CL_SUCCESS)
        recorder().on_event(event);
    return checked_transfer(error, "clEnqueueWriteBuffer", buffer, offset, size, data);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const size_t* buffer_origin, const size_t* host_origin,
                                const size_t* region, size_t buffer_row_pitch,
                                size_t buffer_slice_pitch, size_t host_row_pitch,
                                size_t host_slice_pitch, const void* data, cl_uint wait_count,
                                const cl_event* wait_list, cl_event* event) {
    recorder().on_queue(queue);
    recorder().on_host_write(buffer, 0, volume(region), nullptr);
    return REAL_CALL(clEnqueueWriteBufferRect)(
        queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row_pitch,
        buffer_slice_pitch, host_row_pitch, host_slice_pitch, data, wait_count, wait_list, event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                           const cl_event* wait_list, cl_event* event) {
    recorder().on_queue(queue);
    recorder().on_host_write(buffer, offset, size, nullptr);
    return checked_transfer(REAL_CALL(clEnqueueFillBuffer)(queue, buffer, pattern, pattern_size,
                                                           offset, size, wait_count, wait_list,
                                                           event),
                            "clEnqueueFillBuffer", buffer, offset, size, pattern);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target,
                           size_t source_offset, size_t target_offset, size_t size,
                           cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    recorder().on_queue(queue);
    recorder().on_host_write(target, target_offset, size, nullptr);
    return checked_transfer(REAL_CALL(clEnqueueCopyBuffer)(queue, source, target, source_offset,
                                                           target_offset, size, wait_count,
                                                           wait_list, event),
                            "clEnqueueCopyBuffer", target, target_offset, size, target);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target,
                               const size_t* source_origin, const size_t* target_origin,
                               const size_t* region, size_t source_row_pitch,
                               size_t source_slice_pitch, size_t target_row_pitch,
                               size_t target_slice_pitch, cl_uint wait_count,
                               const cl_event* wait_list, cl_event* event) {
    recorder().on_queue(queue);
    recorder().on_host_write(target, 0, volume(region), nullptr);
    return REAL_CALL(clEnqueueCopyBufferRect)(
        queue, source, target, source_origin, target_origin, region, source_row_pitch,
        source_slice_pitch, target_row_pitch, target_slice_pitch, wait_count, wait_list, event);
}

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                         const cl_event* wait_list, cl_event* event, cl_int* error) {
    recorder().on_queue(queue);
    const CallScope scope("clEnqueueMapBuffer");
    if ((flags & CL_MAP_READ) != 0)
        recorder().on_read(size, blocking == CL_TRUE);
    if ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0)
        recorder().on_host_write(buffer, offset, size, nullptr);
    const bool delayed =
        blocking == CL_FALSE && (flags & CL_MAP_READ) != 0 && recorder().delays_reads();
    void* const host =
        REAL_CALL(clEnqueueMapBuffer)(queue, buffer, delayed ? CL_TRUE : blocking, flags, offset,
                                      size, wait_count, wait_list, event, error);
    if (host != nullptr && (flags & CL_MAP_READ) != 0 && (delayed || blocking == CL_TRUE))
        recorder().on_read_done(host, size);
    if (delayed && host != nullptr)
        recorder().delay_read(host, size);
    if ((flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0)
        recorder().on_map(buffer, host);
    return host;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void* host,
                               cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
    recorder().on_queue(queue);
    recorder().on_unmap(host);
    return REAL_CALL(clEnqueueUnmapMemObject)(queue, buffer, host, wait_count, wait_list, event);
}

cl_int clFinish(cl_command_queue queue) {
    const CallScope scope("clFinish");
    return synchronised(REAL_CALL(clFinish)(queue));
}

cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
    const CallScope scope("clWaitForEvents");
    const cl_int error = REAL_CALL(clWaitForEvents)(count, events);
    if (error == CL_SUCCESS) {
        recorder().on_synchronised();
        recorder().on_waited_for(count, events);
    }
    return error;
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t size, void* value,
                      size_t* size_needed) {
    const cl_int error = REAL_CALL(clGetEventInfo)(event, name, size, value, size_needed);
    if (error == CL_SUCCESS && name == CL_EVENT_COMMAND_EXECUTION_STATUS)
        recorder().on_waited_for(1, &event);
    return error;
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t size, void* value,
                               size_t* size_needed) {
    return recorder().get_event_profiling_info(event, name, size, value, size_needed);
}

cl_int clSetEventCallback(cl_event event, cl_int status,
                          void(CL_CALLBACK* function)(cl_event, cl_int, void*), void* data) {
    return waited(REAL_CALL(clSetEventCallback)(event, status, function, data));
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
