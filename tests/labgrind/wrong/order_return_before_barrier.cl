// run: k 128/32
// global: int 128 = iota
// global: int 1 = 0
// global: int 4 = 0
// expect: divergent-barrier 16
__kernel void k(__global const int* in, volatile __global int* next, __global int* out) {
    __local int t, s[32];
    const int l = get_local_id(0), g = get_group_id(0);
    if (l == 0)
        t = atomic_inc(next);
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = in[t * 32 + l];
    if (t != g && l > 15)
        return;
    for (int i = 16; i > 0; i /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); //@b
        if (l < i)
            s[l] += s[l + i];
    }
    if (l == 0)
        out[t] = s[0];
}
