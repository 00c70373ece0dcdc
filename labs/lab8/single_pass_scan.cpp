#include "lab8.hpp"

#include "tuning.hpp"

namespace {

/// The inclusive scan of `data`, whose elements are of the type that the kernels are built for.
template <class T> std::vector<T> inclusive_scan(const Setup& setup, const std::vector<T>& data,
                                                 std::size_t work_group_size, std::size_t items) {
    // 1. A tile is work_group_size * items elements. How many tiles are there?
    // 2. Create three buffers: the input, the result and the state, which is one cl_uint for the
    //    ticket and two for each tile.
    // 3. Set the whole state to 0 with enqueueFillBuffer, in every call.
    // 4. Launch one work-group for each tile, and read the result.
    not_implemented("scan with one launch of the kernel single_pass_scan");
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
