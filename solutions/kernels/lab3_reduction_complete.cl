// Build options: COMBINE(a, b) is the operator, for float and float4 alike; IDENTITY is its identity.
// Exactly one of SUM, MINIMUM and MAXIMUM is defined.

// [left out]
// Combines one float4 of every work-item of the group; the result is in partial_results[0].
void reduce_group(float4 mine, __local float4* partial_results) {
    const size_t lid = get_local_id(0);

    partial_results[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (size_t i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (lid < i)
            partial_results[lid] = COMBINE(partial_results[lid], partial_results[lid + i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

float combine_lanes(float4 v) {
#ifdef SUM
    return dot(v, (float4)(1.0f));
#else
    return COMBINE(COMBINE(v.x, v.y), COMBINE(v.z, v.w));
#endif
}
// [end]

__kernel void reduction_vector(__global const float4* data, __local float4* partial_results,
                               __global float4* output) {
    // [student] reduction_vector, the tree of lab 2, writes one float4 per group.
    reduce_group(data[get_global_id(0)], partial_results);

    if (get_local_id(0) == 0)
        output[get_group_id(0)] = partial_results[0];
    // [end]
}

__kernel void reduction_complete(__global const float4* data, __local float4* partial_results,
                                 __global float* result) {
    // [student] reduction_complete, run by one work-group, writes one float.
    reduce_group(data[get_local_id(0)], partial_results);

    if (get_local_id(0) == 0)
        *result = combine_lanes(partial_results[0]);
    // [end]
}
