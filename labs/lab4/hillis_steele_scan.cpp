#include "lab4.hpp"

std::vector<cl_float> inclusive_scan(const Setup& setup, const std::vector<cl_float>& data,
                                     std::size_t work_group_size) {
    // 1. scan_groups scans each group by itself and writes each group's sum to another buffer.
    // 2. If there was more than one group, scan the group sums the same way. A function that works
    //    on buffers and calls itself is the shortest solution: there can be three levels or more.
    // 3. add_offsets adds to every group the sum of all groups before it.
    not_implemented("scan with the kernels scan_groups and add_offsets");
}
