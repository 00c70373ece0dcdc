// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// global: uint 4 = 0
// global: int 1 = 0
// local: char 256
// expect: nothing
__kernel void k(__global const int* d, __global int* o, volatile __global uint* st,
                volatile __global int* tick, __local int* s) {
    __local int tile, ex;
    int l = get_local_id(0);
    if (!l)
        tile = atomic_inc(tick);
    barrier(CLK_LOCAL_MEM_FENCE);
    int t = tile;
    s[l] = d[t * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < 64; i <<= 1) {
        int x = l >= i ? s[l - i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!l) {
        uint agg = s[63];
        uint e = 0;
        if (t == 0)
            atomic_xchg(st, (2u << 30) | agg);
        else {
            atomic_xchg(st + t, (1u << 30) | agg);
            for (int j = t - 1; j >= 0;) {
                uint v = st[j];
                uint f = v >> 30;
                if (f == 0)
                    continue;
                e += v & 0x3fffffff;
                if (f == 2)
                    break;
                j--;
            }
            atomic_xchg(st + t, (2u << 30) | (e + agg));
        }
        ex = e;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[t * 64 + l] = s[l] + ex;
}
