#include "lab3.hpp"

// [left out]
#include <utility>

namespace {

/// The smallest number of groups of `group_size` that hold `count` elements.
std::size_t groups_for(std::size_t count, std::size_t group_size) {
    return (count + group_size - 1) / group_size;
}

} // namespace
// [end]

cl_float reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op,
                std::size_t work_group_size) {
    // [student] reduce on the device until one float is left
    // | 1. Pad the data to whole work-groups of float4 and copy it to a first buffer. A second buffer
    // |    has one float4 per group, rounded up to whole work-groups as well: fill the rest with
    // |    identity(op) (setup.queue.enqueueFillBuffer).
    // | 2. While there is more than one group, run reduction_vector and swap the two buffers.
    // | 3. Run reduction_complete with one work-group, then read back its float.
    const std::size_t elements_per_group = 4 * work_group_size;
    const std::size_t local_bytes = work_group_size * sizeof(cl_float4);
    std::size_t groups = groups_for(data.size(), elements_per_group);

    std::vector<cl_float> padded = data;
    padded.resize(groups * elements_per_group, identity(op));
    cl::Buffer from(setup.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                    padded.size() * sizeof(cl_float), padded.data());
    cl::Buffer to(setup.context, CL_MEM_READ_WRITE,
                  groups_for(groups, work_group_size) * local_bytes);

    cl::Kernel reduction_vector(setup.program, "reduction_vector");
    reduction_vector.setArg(1, cl::Local(local_bytes));
    while (groups > 1) {
        const std::size_t next_groups = groups_for(groups, work_group_size);
        const std::size_t written = groups * sizeof(cl_float4);
        const std::size_t tail = next_groups * local_bytes - written;
        if (tail != 0)
            setup.queue.enqueueFillBuffer(to, identity(op), written, tail);
        reduction_vector.setArg(0, from);
        reduction_vector.setArg(2, to);
        setup.queue.enqueueNDRangeKernel(reduction_vector, cl::NullRange,
                                         cl::NDRange(groups * work_group_size),
                                         cl::NDRange(work_group_size));
        std::swap(from, to);
        groups = next_groups;
    }

    const cl::Buffer result_buffer(setup.context, CL_MEM_WRITE_ONLY, sizeof(cl_float));
    cl::Kernel reduction_complete(setup.program, "reduction_complete");
    reduction_complete.setArg(0, from);
    reduction_complete.setArg(1, cl::Local(local_bytes));
    reduction_complete.setArg(2, result_buffer);
    setup.queue.enqueueNDRangeKernel(reduction_complete, cl::NullRange,
                                     cl::NDRange(work_group_size), cl::NDRange(work_group_size));

    cl_float result = 0;
    setup.queue.enqueueReadBuffer(result_buffer, CL_TRUE, 0, sizeof result, &result);
    return result;
    // [end]
}
