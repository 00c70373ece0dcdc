#include "lab1.hpp"

std::size_t choose_work_group_size(const Setup& setup, const cl::Kernel& kernel) {
    // Ask the device:  setup.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()
    //                  setup.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>(), in bytes
    // Ask the kernel:  kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(setup.device)
    not_implemented("choose the work-group size");
}

Reduction reduce(const Setup& setup, const std::vector<cl_float>& data, Operator op) {
    // 1. Create the kernel reduction_scalar from setup.program and choose its work-group size.
    // 2. Pad a copy of the data with identity(op) to a whole number of work-groups.
    // 3. Create the buffers: the padded data, and one float per group for the partial results.
    // 4. Set the arguments; the local memory is one float per work-item: cl::Local(bytes).
    // 5. Enqueue the kernel on setup.queue, with a cl::Event.
    // 6. Read the partial results back and combine() them on the host.
    // 7. Take the kernel's start and end from the event.
    not_implemented("reduce with the kernel reduction_scalar");
}
