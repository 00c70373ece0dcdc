// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// global: int 2 = 0
// global: int 4 = 0
// global: float 8 = 0
// local: char 256
// expect: nothing
__kernel void k(__global const float* d, __global float* o, volatile __global int* tick,
                volatile __global int* flag, __global volatile float* pre, __local float* s) {
    __local int tile;
    __local float ex;
    int l = get_local_id(0);
    if (l == 0)
        tile = atomic_inc(tick);
    barrier(CLK_LOCAL_MEM_FENCE);
    int t = tile;
    float v = d[t * 64 + l];
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < 64; i <<= 1) {
        float x = l >= i ? s[l - i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 63) {
        float e = 0;
        if (t > 0) {
            while (atomic_or(flag + t - 1, 0) == 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            e = pre[t - 1];
        }
        pre[t] = e + s[63];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(flag + t, 1);
        ex = e;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[t * 64 + l] = s[l] + ex;
    if (l == 0) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_inc(tick + 1) == 3) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            for (int i = 0; i < 4; i++)
                atomic_xchg(flag + i, 0);
            tick[0] = 0;
            tick[1] = 0;
        }
    }
}
