#include "lab1.hpp"

std::size_t choose_work_group_size(const Setup& setup, const cl::Kernel& kernel) {
    // [student] choose the work-group size
    // | Ask the device:  setup.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()
    // |                  setup.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>(), in bytes
    // | Ask the kernel:  kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(setup.device)
    const std::size_t limit =
        std::min(setup.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>(),
                 kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(setup.device));
    const cl_ulong local_memory = setup.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();

    std::size_t size = 1;
    while (2 * size <= limit && 2 * size * sizeof(cl_float) <= local_memory)
        size *= 2;
    if (size == 1)
        throw std::runtime_error("a work-group size of 1 leaves nothing to reduce in a group");
    return size;
    // [end]
}

Reduction reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op) {
    // [student] reduce with the kernel reduction_scalar
    // | 1. Create the kernel reduction_scalar from setup.program and choose its work-group size.
    // | 2. Pad a copy of the data with identity(op) to a whole number of work-groups.
    // | 3. Create the buffers: the padded data, and one float per group for the partial results.
    // | 4. Set the arguments; the local memory is one float per work-item: cl::Local(bytes).
    // | 5. Enqueue the kernel on setup.queue, with a cl::Event.
    // | 6. Read the partial results back and combine() them on the host.
    // | 7. Take the kernel's start and end from the event.
    cl::Kernel kernel(setup.program, "reduction_scalar");
    const std::size_t group_size = choose_work_group_size(setup, kernel);
    const std::size_t groups = (data.size() + group_size - 1) / group_size;

    std::vector<cl_float> padded = data;
    padded.resize(groups * group_size, identity(op));
    std::vector<cl_float> partial_results(groups);

    const cl::Buffer input(setup.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                           padded.size() * sizeof(cl_float), padded.data());
    const cl::Buffer output(setup.context, CL_MEM_WRITE_ONLY, groups * sizeof(cl_float));
    kernel.setArg(0, input);
    kernel.setArg(1, cl::Local(group_size * sizeof(cl_float)));
    kernel.setArg(2, output);

    cl::Event event;
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(padded.size()),
                                     cl::NDRange(group_size), nullptr, &event);
    // The queue is in order, so this read waits for the kernel.
    setup.queue.enqueueReadBuffer(output, CL_TRUE, 0, groups * sizeof(cl_float),
                                  partial_results.data());

    Reduction result{identity(op), 0};
    for (const cl_float partial_result : partial_results)
        result.value = combine(op, result.value, partial_result);
    result.nanoseconds = event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                         event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    return result;
    // [end]
}
