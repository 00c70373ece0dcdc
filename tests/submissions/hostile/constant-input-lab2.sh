#!/bin/sh
# One work-item of each group reads everything through a second, __constant argument; the others add for show.
# from: solutions
# lab: lab2
# expect: lab2 below full
# says: do not share its additions

sed -i 's/kernel.setArg(2, output);/& kernel.setArg(3, input);/' labs/lab2/reduction_vector.cpp
cat > kernels/lab2_reduction_vector.cl << 'CL'
__kernel void reduction_vector(__global const float4* data, __local float4* partial_results, __global float* output,
                               __constant float4* again) {
    const size_t lid = get_local_id(0);
    const size_t size = get_local_size(0);
    float4 show = data[get_global_id(0)];
    for (int i = 0; i < 12; ++i)
        show += show;
    partial_results[lid] = show;
    if (lid != 0)
        return;
    float4 all = IDENTITY;
    for (size_t i = 0; i < size; ++i)
        all = COMBINE(all, again[get_group_id(0) * size + i]);
    output[get_group_id(0)] = COMBINE(COMBINE(all.x, all.y), COMBINE(all.z, all.w));
}
CL
