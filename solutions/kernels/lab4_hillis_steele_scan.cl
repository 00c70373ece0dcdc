// temp: local memory, at least one float for each work-item of the group.

__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp,
                          uint n) {
    // [student] scan_groups, the inclusive scan of the group's elements in temp;
    // | the scan goes back to values, the sum of the whole group to group_sums. The last group can
    // | have work-items beyond the end: values has n elements.
    const size_t gid = get_global_id(0);
    const size_t lid = get_local_id(0);
    const size_t group_size = get_local_size(0);

    // Work-items beyond the end take part with a 0: every one of them has to reach the barriers.
    temp[lid] = gid < n ? values[gid] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (size_t distance = 1; distance < group_size; distance *= 2) {
        const float left = lid >= distance ? temp[lid - distance] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE); // all have read before anyone writes
        temp[lid] += left;
        barrier(CLK_LOCAL_MEM_FENCE); // all have written before anyone reads
    }

    if (gid < n)
        values[gid] = temp[lid];
    if (lid == group_size - 1)
        group_sums[get_group_id(0)] = temp[lid];
    // [end]
}

__kernel void add_offsets(__global float* values, __global const float* scanned_sums, uint n) {
    // [student] add_offsets, every group but the first adds the sum of all elements
    // | before it, which is one element of scanned_sums.
    const size_t gid = get_global_id(0);
    const size_t group = get_group_id(0);

    if (group > 0 && gid < n)
        values[gid] += scanned_sums[group - 1];
    // [end]
}
