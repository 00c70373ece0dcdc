// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[128];
    s[l] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 32; i > 0; i /= 2) {
        float a = s[l + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        float m = s[l];
        s[l] = m + a;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        o[g] = s[0];
}
