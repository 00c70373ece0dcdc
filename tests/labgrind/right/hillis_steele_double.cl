// run: k 256/64
// global: float 256 = iota
// local: char 512
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int p = 0, q = 1;
    s[l] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < n; i *= 2) {
        p = 1 - p;
        q = 1 - p;
        if (l >= i)
            s[p * n + l] = s[q * n + l] + s[q * n + l - i];
        else
            s[p * n + l] = s[q * n + l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[g] = s[p * n + l];
}
