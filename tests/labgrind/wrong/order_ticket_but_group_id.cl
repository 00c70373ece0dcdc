// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// global: int 1 = 0
// global: int 4 = 0
// global: int 4 = 0
// expect: out-of-bounds 27
__kernel void k(__global const int* in, __global int* out, volatile __global int* tick,
                volatile __global int* state, volatile __global int* val) {
    __local int tile;
    __local int s;
    const int l = get_local_id(0);
    if (l == 0) {
        tile = atomic_inc(tick);
        s = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&s, in[tile * 64 + l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        const int t = tile; //@t
        int p = 0;
        if (t > 0) {
            while (atomic_or(&state[t - 1], 0) != 2) { //@w
            }
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            p = val[get_group_id(0) - 1]; //@r
        }
        val[t] = p + s;
        mem_fence(CLK_GLOBAL_MEM_FENCE); //@f
        atomic_xchg(&state[t], 2);       //@x
        out[t] = p;
    }
}
