// run: k 256/64
// global: int 512 = iota
// global: int 512 = 0
// local: int 64
// expect: out-of-bounds 10
// expect: out-of-bounds 11
// expect: out-of-bounds 14
__kernel void k(__global const int* in, __global int* out, __local int* t) {
    const int lid = get_local_id(0), g = get_group_id(0) * 128;
    t[2 * lid] = in[g + 2 * lid];
    t[2 * lid + 1] = in[g + 2 * lid + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g + lid] = t[lid];
    out[g + 64 + lid] = t[64 + lid];
}
