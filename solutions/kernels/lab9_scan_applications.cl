// The scan is built for two kinds of elements:
//
//     TYPE      COMBINE(first, second)     IDENTITY
//     uint      first + second             0
//     float2    compose(first, second)     the map that changes nothing
//
// A float2 (a, b) is the map from x to a * x + b. COMBINE(left, right) and COMBINE(right, left) are
// different maps.

__kernel void mark(__global const float* data, __global uint* marks, uint n) {
    // [student] mark, 1 for an element above 0, 0 for any other
    const size_t gid = get_global_id(0);

    if (gid < n)
        marks[gid] = data[gid] > 0.0f ? 1 : 0;
    // [end]
}

// `scanned_marks` is the inclusive scan of the marks.
__kernel void scatter(__global const float* data, __global const uint* scanned_marks,
                      __global float* result, uint n) {
    // [student] scatter, each element above 0 goes to its place in result.
    // | Its place is the number of elements above 0 before it.
    const size_t gid = get_global_id(0);

    if (gid < n && data[gid] > 0.0f)
        result[scanned_marks[gid] - 1] = data[gid];
    // [end]
}

// The map that applies `first` and then `second`.
float2 compose(float2 first, float2 second) {
    float2 both = first;
    // [student] compose, second(first(x)) = both.x * x + both.y
    both = (float2)(second.x * first.x, second.x * first.y + second.y);
    // [end]
    return both;
}

// The step from v(i) to v(i + 1) as a map.
__kernel void make_maps(__global const float* lambda, __global const float* u,
                        __global float2* maps, uint n) {
    // [student] make_maps, (1 - lambda) * x + lambda * u as a map of x
    const size_t gid = get_global_id(0);

    if (gid < n)
        maps[gid] = (float2)(1.0f - lambda[gid], lambda[gid] * u[gid]);
    // [end]
}

// `scanned_maps` is the inclusive scan of the maps: its element i takes v(0) to v(i + 1).
__kernel void apply_maps(__global const float2* scanned_maps, float start, __global float* v,
                         uint n) {
    // [student] apply_maps, each map of the scan applied to start
    const size_t gid = get_global_id(0);

    if (gid < n)
        v[gid] = scanned_maps[gid].x * start + scanned_maps[gid].y;
    // [end]
}

__kernel void scan_groups(__global TYPE* values, __global TYPE* group_sums, __local TYPE* temp,
                          uint n) {
    // [student] scan_groups, that of lab 4 with COMBINE and IDENTITY.
    // | The element that is further left is `first`.
    const size_t gid = get_global_id(0);
    const size_t lid = get_local_id(0);
    const size_t group_size = get_local_size(0);

    temp[lid] = gid < n ? values[gid] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (size_t distance = 1; distance < group_size; distance *= 2) {
        const TYPE left = lid >= distance ? temp[lid - distance] : IDENTITY;
        barrier(CLK_LOCAL_MEM_FENCE); // all have read before anyone writes
        temp[lid] = COMBINE(left, temp[lid]);
        barrier(CLK_LOCAL_MEM_FENCE); // all have written before anyone reads
    }

    if (gid < n)
        values[gid] = temp[lid];
    if (lid == group_size - 1)
        group_sums[get_group_id(0)] = temp[lid];
    // [end]
}

__kernel void combine_offsets(__global TYPE* values, __global const TYPE* scanned_sums, uint n) {
    // [student] combine_offsets, add_offsets of lab 4 with COMBINE.
    // | One element of scanned_sums is the combination of all groups before this one.
    const size_t gid = get_global_id(0);
    const size_t group = get_group_id(0);

    if (group > 0 && gid < n)
        values[gid] = COMBINE(scanned_sums[group - 1], values[gid]);
    // [end]
}
