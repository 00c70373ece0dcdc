// run: rd 64/16
// global: float 64 = iota
// global: float 4 = 0
// expect: divergent-barrier 12
__kernel void rd(__global const float* in, __global float* out) {
    __local float t[16];
    const int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 8; s > 0 && l < s; s >>= 1) {
        t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
