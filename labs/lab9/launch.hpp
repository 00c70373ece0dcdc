#pragma once

/// What you have written in labs 1 to 8: buffers, launches and reads.

#include "runner/lab.hpp"

/// A new buffer with the elements of `values`.
inline cl::Buffer upload(const Setup& setup, const std::vector<cl_float>& values) {
    const std::size_t bytes = values.size() * sizeof(cl_float);
    cl::Buffer buffer(setup.context, CL_MEM_READ_ONLY, bytes);
    setup.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, values.data());
    return buffer;
}

/// The first `n` floats of `buffer`. Throws std::out_of_range if it is smaller.
inline std::vector<cl_float> download(const Setup& setup, const cl::Buffer& buffer, std::size_t n) {
    const std::size_t room = buffer.getInfo<CL_MEM_SIZE>() / sizeof(cl_float);
    if (n > room)
        throw std::out_of_range("download(): the buffer has " + std::to_string(room) +
                                (room == 1 ? " float" : " floats") + ", not " + std::to_string(n) +
                                ": how many does the kernel write?");
    std::vector<cl_float> values(n);
    if (n != 0) // OpenCL rejects a read of 0 bytes
        setup.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, n * sizeof(cl_float), values.data());
    return values;
}

/// How many groups have a work-item for each of `n` elements.
inline std::size_t groups_for(std::size_t n, std::size_t work_group_size) {
    return (n + work_group_size - 1) / work_group_size;
}

/// Launches the kernel `name` with `arguments`, in groups that have a work-item for each of `n`
/// elements. An argument is a buffer, a cl_uint, a cl_float or cl::Local(bytes).
template <class... Arguments> void launch(const Setup& setup, const char* name, std::size_t n,
                                          std::size_t work_group_size,
                                          const Arguments&... arguments) {
    cl::Kernel kernel(setup.program, name);
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange,
                                     cl::NDRange(groups_for(n, work_group_size) * work_group_size),
                                     cl::NDRange(work_group_size));
}
