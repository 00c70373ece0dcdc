#include "lab7.hpp"

#include "tuning.hpp"

#include <algorithm>
#include <numeric>

// [left out]
namespace {

/// As many groups as the device can use with 16 elements for each work-item, but at least one.
std::size_t groups_for(const Setup& setup, std::size_t n, std::size_t work_group_size,
                       Finish finish) {
    const ReductionTuning tuning = reduction_tuning(setup.device);
    const std::size_t work_items = finish == Finish::tickets ? tuning.work_items_with_tickets
                                                             : tuning.work_items_per_compute_unit;
    const std::size_t useful =
        setup.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() * work_items / work_group_size;
    const std::size_t with_work = n / (16 * work_group_size);
    return std::max<std::size_t>(1, std::min(useful, with_work));
}

/// Launches the kernel `name` with these arguments.
template <class... Arguments> void launch_with(const Setup& setup, const char* name,
                                               std::size_t groups, std::size_t work_group_size,
                                               const Arguments&... arguments) {
    cl::Kernel kernel(setup.program, name);
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * work_group_size),
                                     cl::NDRange(work_group_size));
}

/// Launches the kernel `name` on the `n` elements in `data`. `finish` are the arguments that follow
/// the local memory.
template <class... Arguments> void launch(const Setup& setup, const char* name,
                                          const cl::Buffer& data, std::size_t n, std::size_t groups,
                                          std::size_t work_group_size, const Arguments&... finish) {
    const std::size_t work_items = groups * work_group_size;
    const std::size_t rounds = n / (16 * work_items);
    const bool chunks = reduction_tuning(setup.device).chunks;
    const std::size_t tile = chunks ? 4 * rounds * work_group_size : 4 * work_group_size;
    const std::size_t distance = chunks ? 4 * rounds : 1;
    const std::size_t step = chunks ? rounds : work_group_size;
    const std::size_t stride = chunks ? 1 : 4 * work_items;

    const auto number = [](std::size_t value) { return static_cast<cl_uint>(value); };
    launch_with(setup, name, groups, work_group_size, data, number(n), number(tile),
                number(distance), number(step), number(stride),
                cl::Local(work_group_size * sizeof(cl_float)), finish...);
}

/// A buffer that begins with `value`.
template <class T> cl::Buffer buffer_with(const Setup& setup, T value) {
    return {setup.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof value, &value};
}

} // namespace
// [end]

cl_float direct_sum(const Setup& setup, const std::vector<cl_float>& data,
                    std::size_t work_group_size, Finish finish) {
    // [student] add up with the kernel that belongs to `finish`
    // | 1. Choose the number of groups: reduction_tuning(setup.device) has the work-items for each
    // |    compute unit (CL_DEVICE_MAX_COMPUTE_UNITS), fewer of them with tickets. Take fewer groups if
    // |    there are fewer than 16 elements for each work-item, but at least one.
    // | 2. Choose tile, distance, step and stride: see the handout, and the tuning's `chunks`.
    // | 3. Create the buffers. What must total, lock and counters hold before the kernel starts?
    // | 4. Launch the kernel: host: sum_groups; kernels: sum_groups, then again with its results as
    // |    data, in one group; lock, compare_exchange, last_group, tickets: the kernel of that name.
    // | 5. Read one float back. For Finish::host, read one float per group and add them up here.
    const std::size_t n = data.size();
    const std::size_t groups = groups_for(setup, n, work_group_size, finish);
    const cl::Buffer input(setup.context, CL_MEM_READ_ONLY, n * sizeof(cl_float));
    setup.queue.enqueueWriteBuffer(input, CL_FALSE, 0, n * sizeof(cl_float), data.data());
    const cl::Buffer results(setup.context, CL_MEM_READ_WRITE, groups * sizeof(cl_float));
    const cl::Buffer total = buffer_with<cl_float>(setup, 0);
    const cl::Buffer zero = buffer_with<cl_uint>(setup, 0); // the lock is free, no group is done

    switch (finish) {
    case Finish::host: {
        launch(setup, "sum_groups", input, n, groups, work_group_size, results);
        std::vector<cl_float> sums(groups);
        setup.queue.enqueueReadBuffer(results, CL_TRUE, 0, groups * sizeof(cl_float), sums.data());
        return std::accumulate(sums.begin(), sums.end(), 0.0F);
    }
    case Finish::kernels:
        launch(setup, "sum_groups", input, n, groups, work_group_size, results);
        launch(setup, "sum_groups", results, groups, 1, work_group_size, total);
        break;
    case Finish::lock:
        launch(setup, "sum_with_lock", input, n, groups, work_group_size, total, zero);
        break;
    case Finish::compare_exchange:
        launch(setup, "sum_with_compare_exchange", input, n, groups, work_group_size, total);
        break;
    case Finish::last_group:
        launch(setup, "sum_by_last_group", input, n, groups, work_group_size, total, results, zero);
        break;
    case Finish::tickets: {
        const cl::Buffer tickets = buffer_with<cl_uint>(setup, 0);
        launch_with(setup, "sum_by_tickets", groups, work_group_size, input,
                    static_cast<cl_uint>(n), cl::Local(work_group_size * sizeof(cl_float)), total,
                    results, zero, tickets);
        break;
    }
    }

    cl_float sum = 0;
    setup.queue.enqueueReadBuffer(total, CL_TRUE, 0, sizeof sum, &sum);
    return sum;
    // [end]
}
