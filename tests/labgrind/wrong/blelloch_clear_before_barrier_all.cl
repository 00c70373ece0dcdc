// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// global: int 4 = 0
// expect: data-race 18
__kernel void k(__global const int* in, __global int* out, __global int* sums) {
    __local int t[64];
    const int lid = get_local_id(0);
    int off = 1;
    t[lid] = in[get_global_id(0)];
    for (int d = 32; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d)
            t[off * (2 * lid + 2) - 1] += t[off * (2 * lid + 1) - 1];
        off *= 2;
    }
    if (lid == 63)
        sums[get_group_id(0)] = t[63];
    if (lid == 0)
        t[63] = 0;
    for (int d = 1; d < 64; d *= 2) {
        off >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            int i = off * (2 * lid + 1) - 1, j = off * (2 * lid + 2) - 1;
            int x = t[i];
            t[i] = t[j];
            t[j] += x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[lid];
}
