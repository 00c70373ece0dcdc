#include "lab8.hpp"

#include "tuning.hpp"

namespace {

// [left out]
/// How many elements of a work-item the kernel scan_in_registers keeps in registers: four times
/// VECTORS in the kernel file.
constexpr std::size_t items_in_registers = 32;

/// Local memory that the kernel scan_in_registers needs, in elements.
std::size_t local_for_registers(std::size_t work_group_size) {
    const std::size_t sums = work_group_size * items_in_registers / 4;
    return 2 * work_group_size + sums + sums / 32;
}

// [end]
/// The inclusive scan of `data`, whose elements are of the type that the kernels are built for.
template <class T> std::vector<T> inclusive_scan(const Setup& setup, const std::vector<T>& data,
                                                 std::size_t work_group_size, std::size_t items) {
    // [student] scan with one launch of the kernel single_pass_scan
    // | 1. A tile is work_group_size * items elements. How many tiles are there?
    // | 2. Create three buffers: the input, the result and the state, which is one cl_uint for the
    // |    ticket and two for each tile.
    // | 3. Set the whole state to 0 with enqueueFillBuffer, in every call.
    // | 4. Launch one work-group for each tile, and read the result.
    const std::size_t tile = work_group_size * items;
    const std::size_t tiles = (data.size() + tile - 1) / tile;
    const std::size_t bytes = data.size() * sizeof(T);
    const std::size_t state_bytes = (1 + 2 * tiles) * sizeof(cl_uint);

    const cl::Buffer input(setup.context, CL_MEM_READ_ONLY, bytes);
    const cl::Buffer output(setup.context, CL_MEM_WRITE_ONLY, bytes);
    const cl::Buffer state(setup.context, CL_MEM_READ_WRITE, state_bytes);
    setup.queue.enqueueWriteBuffer(input, CL_FALSE, 0, bytes, data.data());
    setup.queue.enqueueFillBuffer(state, cl_uint{0}, 0, state_bytes);

    const std::size_t local_limit = setup.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>() / sizeof(T);
    const bool in_registers =
        items == items_in_registers && local_for_registers(work_group_size) + 64 <= local_limit;

    cl::Kernel kernel(setup.program, in_registers ? "scan_in_registers" : "single_pass_scan");
    kernel.setArg(0, input);
    kernel.setArg(1, output);
    kernel.setArg(2, static_cast<cl_uint>(data.size()));
    kernel.setArg(3, static_cast<cl_uint>(items));
    kernel.setArg(4, state);
    kernel.setArg(5, cl::Local(sizeof(T) * (in_registers ? local_for_registers(work_group_size)
                                                         : 2 * work_group_size)));
    setup.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(tiles * work_group_size),
                                     cl::NDRange(work_group_size));

    std::vector<T> result(data.size());
    setup.queue.enqueueReadBuffer(output, CL_TRUE, 0, bytes, result.data());
    return result;
    // [end]
}

} // namespace

std::vector<cl_float> scan_floats(const Setup& setup, const std::vector<cl_float>& data,
                                  std::size_t work_group_size, std::size_t items) {
    return inclusive_scan(setup, data, work_group_size, items);
}

std::vector<cl_int> scan_ints(const Setup& setup, const std::vector<cl_int>& data,
                              std::size_t work_group_size, std::size_t items) {
    return inclusive_scan(setup, data, work_group_size, items);
}

std::vector<cl_float> scan_floats_tuned(const Setup& setup, const std::vector<cl_float>& data) {
    const ScanSizes sizes = scan_sizes(setup.device);
    return scan_floats(setup, data, sizes.work_group_size, sizes.items);
}
