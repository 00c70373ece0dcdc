// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[64 + 32];
    s[l + 32] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < 64; i *= 2) {
        float a = s[l + 32 - i];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l + 32] += select(0.0f, a, l >= i ? 1 : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[g] = s[l + 32];
}
