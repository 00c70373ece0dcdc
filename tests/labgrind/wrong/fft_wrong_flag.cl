// run: fft 32/32
// global: float2 64 = iota
// expect: barrier-flag 15
__kernel void fft(__global float2* g) {
    __local float2 x[64];
    const int i = get_local_id(0);
    x[i] = g[i];
    x[i + 32] = g[i + 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 64; s *= 2) {
        int p = i / s * 2 * s + i % s;
        float2 a = x[p], b = x[p + s];
        x[p] = a + b;
        x[p + s] = a - b;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    g[i] = x[i];
    g[i + 32] = x[i + 32];
}
