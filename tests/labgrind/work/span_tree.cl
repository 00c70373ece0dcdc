// A tree: a step adds half as many as the one before it.
// run: go 128/64
// global: float 128 = 1
// global: float 2 = 0
// counts: additions 126, span 6, global-bytes-changed 8

__kernel void go(__global const float* data, __global float* output) {
    __local float sums[64];
    const uint lid = get_local_id(0);
    sums[lid] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 32; i > 0; i /= 2) {
        if (lid < i)
            sums[lid] += sums[lid + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        output[get_group_id(0)] = sums[0];
}
