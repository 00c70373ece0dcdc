// run: reduction_scalar 512/128
// global: float 512 = iota
// local: char 512
// global: float 4 = 0
// options: -DCOMBINE(a,b)=((a)+(b)) -DIDENTITY=0.0f -DSUM
// expect: barrier-flag 15
// Build options: COMBINE(a, b) is the operator (a + b for the sum), IDENTITY its identity. SUM,
// MINIMUM or MAXIMUM says which one it is.

__kernel void reduction_scalar(__global const float* data, __local float* partial_results,
                               __global float* output) {
    const size_t lid = get_local_id(0);

    partial_results[lid] = data[get_global_id(0)];
    barrier(CLK_GLOBAL_MEM_FENCE);

    for (size_t i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (lid < i)
            partial_results[lid] = COMBINE(partial_results[lid], partial_results[lid + i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        output[get_group_id(0)] = partial_results[0];
}
