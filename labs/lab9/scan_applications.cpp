#include "lab9.hpp"

#include "launch.hpp"

std::vector<cl_float> compact(const Setup& setup, const std::vector<cl_float>& data,
                              std::size_t work_group_size) {
    // 1. Mark each element: 1 if it is kept, 0 if not.
    // 2. Scan the marks, as in lab 4. Write one function for this scan and for the one below.
    // 3. Put each kept element in its place.
    // 4. The last element of the scan says how many there are. Read it, then that many elements.
    not_implemented("compact with mark, scan_groups, combine_offsets and scatter");
}

std::vector<cl_float> solve_recurrence(const Setup& setup, cl_float start,
                                       const std::vector<cl_float>& lambda,
                                       const std::vector<cl_float>& u,
                                       std::size_t work_group_size) {
    // Make one map of each step, scan the maps, and apply each map of the scan to `start`.
    // An element of the scan is a cl_float2.
    not_implemented("solve with make_maps, scan_groups, combine_offsets and apply_maps");
}
