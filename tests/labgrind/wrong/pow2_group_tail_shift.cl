// run: k 96/48
// global: float 96 = iota
// global: float 2 = 0
// expect: out-of-bounds 12
__kernel void k(__global const float* in, __global float* out) {
    __local float t[48];
    const uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    for (uint s = 1; s < get_local_size(0); s *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % (2 * s) == 0)
            t[l] += t[l + s];
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
