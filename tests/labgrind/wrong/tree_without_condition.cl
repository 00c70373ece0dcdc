// run: k 4/4
// global: float 4 = iota
// local: float 8
// global: float 1
// expect: data-race 17
// says: should both use this element in the same step?
__kernel void k(__global const float* in, __local float* sums, __global float* out) {
    const uint lid = get_local_id(0);
    float mine = in[get_global_id(0)];

    if (lid == 0)
        for (uint i = 0; i < 3; ++i)
            mine += in[i];
    sums[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_size(0) / 2; i > 0; i /= 2) {
        sums[lid] += sums[lid + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[0] = sums[0];
}
