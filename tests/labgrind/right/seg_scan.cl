// run: k 256/64
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    __local int f[64];
    int fl = (l % 8 == 0);
    s[l] = d[g];
    f[l] = fl;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < n; i <<= 1) {
        float t = 0;
        int ff = f[l];
        if (l >= i) {
            if (!ff)
                t = s[l - i];
            ff |= f[l - i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += t;
        f[l] = ff;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[g] = s[l];
}
