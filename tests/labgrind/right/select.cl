// run: k 256/64
// global: float 256 = 0
// expect: nothing
__kernel void k(__global float* o) {
    __local float s[64 + 32];
    int l = get_local_id(0);
    s[l + 32] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < 64; i *= 2) {
        float a = s[l + 32 - i];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l + 32] += select(0.0f, a, (int)(l >= i));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[get_global_id(0)] = s[l + 32];
}
