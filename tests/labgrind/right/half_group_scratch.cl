// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[32];
    if (l >= 32)
        s[l - 32] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = d[g];
    if (l < 32)
        x += s[l];
    for (int i = 16; i > 0; i >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 32)
            s[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < i)
            x += s[l + i];
    }
    if (l == 0)
        o[get_group_id(0)] = x;
}
