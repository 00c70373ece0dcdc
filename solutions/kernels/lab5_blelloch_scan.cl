// Each work-item takes two elements: a group of m work-items scans 2 m elements. temp: local memory,
// at least one float for each element of the group.

__kernel void scan_groups(__global float* values, __global float* group_sums, __local float* temp,
                          uint n) {
    // [student] scan_groups, up-sweep and down-sweep in temp; the exclusive scan goes
    // | back to values, the sum of the whole group to group_sums. The last group can reach beyond
    // | the end of the data: values has n elements.
    const size_t lid = get_local_id(0);
    const size_t count = 2 * get_local_size(0); // elements of the group
    const size_t first = get_group_id(0) * count + 2 * lid;

    temp[2 * lid] = first < n ? values[first] : 0.0f;
    temp[2 * lid + 1] = first + 1 < n ? values[first + 1] : 0.0f;

    // Up-sweep: every node of the tree gets the sum of the leaves under it.
    size_t distance = 1;
    for (size_t nodes = count / 2; nodes > 0; nodes /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < nodes) {
            const size_t left = distance * (2 * lid + 1) - 1;
            const size_t right = distance * (2 * lid + 2) - 1;
            temp[right] += temp[left];
        }
        distance *= 2;
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        group_sums[get_group_id(0)] = temp[count - 1];
        temp[count - 1] = 0.0f;
    }

    // Down-sweep: a node hands its value to its left child, and that plus the left child's sum to
    // its right child.
    for (size_t nodes = 1; nodes < count; nodes *= 2) {
        distance /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < nodes) {
            const size_t left = distance * (2 * lid + 1) - 1;
            const size_t right = distance * (2 * lid + 2) - 1;
            const float sum = temp[left];
            temp[left] = temp[right];
            temp[right] += sum;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (first < n)
        values[first] = temp[2 * lid];
    if (first + 1 < n)
        values[first + 1] = temp[2 * lid + 1];
    // [end]
}

__kernel void add_offsets(__global float* values, __global const float* offsets, uint n) {
    // [student] add_offsets: add offsets[g] to every element of group g.
    const size_t group = get_group_id(0);
    const size_t first = 2 * get_global_id(0);

    if (first < n)
        values[first] += offsets[group];
    if (first + 1 < n)
        values[first + 1] += offsets[group];
    // [end]
}
