#include "lab9.hpp"

#include "launch.hpp"

// [left out]
namespace {

/// Replaces the `n` elements of `values` by their inclusive scan. An element has `element_bytes`.
void scan_in_place(const Setup& setup, const cl::Buffer& values, std::size_t n,
                   std::size_t element_bytes, std::size_t work_group_size) {
    const auto count = static_cast<cl_uint>(n);
    const std::size_t groups = groups_for(n, work_group_size);
    const cl::Buffer group_sums(setup.context, CL_MEM_READ_WRITE, groups * element_bytes);

    launch(setup, "scan_groups", n, work_group_size, values, group_sums,
           cl::Local(work_group_size * element_bytes), count);
    if (groups == 1)
        return;
    scan_in_place(setup, group_sums, groups, element_bytes, work_group_size);
    launch(setup, "combine_offsets", n, work_group_size, values, group_sums, count);
}

} // namespace
// [end]

std::vector<cl_float> compact(const Setup& setup, const std::vector<cl_float>& data,
                              std::size_t work_group_size) {
    // [student] compact with mark, scan_groups, combine_offsets and scatter
    // | 1. Mark each element: 1 if it is kept, 0 if not.
    // | 2. Scan the marks, as in lab 4. Write one function for this scan and for the one below.
    // | 3. Put each kept element in its place.
    // | 4. The last element of the scan says how many there are. Read it, then that many elements.
    const std::size_t n = data.size();
    const auto count = static_cast<cl_uint>(n);
    const cl::Buffer from = upload(setup, data);
    const cl::Buffer marks(setup.context, CL_MEM_READ_WRITE, n * sizeof(cl_uint));
    const cl::Buffer to(setup.context, CL_MEM_WRITE_ONLY, n * sizeof(cl_float));

    launch(setup, "mark", n, work_group_size, from, marks, count);
    scan_in_place(setup, marks, n, sizeof(cl_uint), work_group_size);
    launch(setup, "scatter", n, work_group_size, from, marks, to, count);

    cl_uint left = 0;
    setup.queue.enqueueReadBuffer(marks, CL_TRUE, (n - 1) * sizeof left, sizeof left, &left);
    return download(setup, to, left);
    // [end]
}

std::vector<cl_float> solve_recurrence(const Setup& setup, cl_float start,
                                       const std::vector<cl_float>& lambda,
                                       const std::vector<cl_float>& u,
                                       std::size_t work_group_size) {
    // [student] solve with make_maps, scan_groups, combine_offsets and apply_maps
    // | Make one map of each step, scan the maps, and apply each map of the scan to `start`.
    // | An element of the scan is a cl_float2.
    const std::size_t n = u.size();
    const auto count = static_cast<cl_uint>(n);
    const cl::Buffer maps(setup.context, CL_MEM_READ_WRITE, n * sizeof(cl_float2));
    const cl::Buffer v(setup.context, CL_MEM_WRITE_ONLY, n * sizeof(cl_float));

    launch(setup, "make_maps", n, work_group_size, upload(setup, lambda), upload(setup, u), maps,
           count);
    scan_in_place(setup, maps, n, sizeof(cl_float2), work_group_size);
    launch(setup, "apply_maps", n, work_group_size, maps, start, v, count);
    return download(setup, v, n);
    // [end]
}
