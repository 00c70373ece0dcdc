// Build options: COMBINE(a, b) is the operator (a + b for the sum), IDENTITY its identity. Exactly
// one of SUM, MINIMUM and MAXIMUM is defined.

__kernel void reduction_scalar(__global const float* data, __local float* partial_results,
                               __global float* output) {
    // [student] every work-item copies its element of data to local memory,
    // | the group combines them in a tree, and work-item 0 writes the group's result to output.
    const size_t lid = get_local_id(0);

    partial_results[lid] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (size_t i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (lid < i)
            partial_results[lid] = COMBINE(partial_results[lid], partial_results[lid + i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        output[get_group_id(0)] = partial_results[0];
    // [end]
}
