// Build options: COMBINE(a, b) is the operator, for float and float4 alike; IDENTITY is its identity.
// Exactly one of SUM, MINIMUM and MAXIMUM is defined.

// [left out]
float combine_lanes(float4 v) {
#ifdef SUM
    return dot(v, (float4)(1.0f));
#else
    return COMBINE(COMBINE(v.x, v.y), COMBINE(v.z, v.w));
#endif
}
// [end]

__kernel void reduction_vector(__global const float4* data, __local float4* partial_results,
                               __global float* output) {
    // [student] the tree of lab 1 with float4 in local memory; in the end work-item 0
    // | combines the four lanes of partial_results[0] into the one float of the group.
    const size_t lid = get_local_id(0);

    partial_results[lid] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (size_t i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (lid < i)
            partial_results[lid] = COMBINE(partial_results[lid], partial_results[lid + i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        output[get_group_id(0)] = combine_lanes(partial_results[0]);
    // [end]
}
