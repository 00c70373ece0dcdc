#include "lab5.hpp"

std::vector<cl_float> exclusive_scan(const Setup& setup, const std::vector<cl_float>& data,
                                     std::size_t work_group_size) {
    // The levels are those of lab 4. But a group takes 2 * work_group_size elements, and
    // the scanned group sums are exclusive, so they already are the offsets.
    not_implemented("scan with the kernels scan_groups and add_offsets");
}
