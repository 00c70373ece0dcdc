// run: fft 32/32
// global: float2 64 = iota
// global: float2 32 = iota
// expect: out-of-bounds 9
__kernel void fft(__global float2* x, __global const float2* w) {
    const int i = get_local_id(0);
    for (int s = 1; s < 64; s *= 2) {
        int p = i / s * 2 * s + i % s;
        float2 a = x[p], b = x[p + s] * w[i % s * (64 / s)].x;
        x[p] = a + b;
        x[p + s] = a - b;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
