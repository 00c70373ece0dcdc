// run: rd 96/24
// global: float 96 = iota
// global: float 4 = 0
// expect: out-of-bounds 12
__kernel void rd(__global const float* in, __global float* out) {
    __local float t[24];
    const int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 16; s > 0; s >>= 1) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
