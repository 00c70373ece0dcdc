// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local int s[64];
    __local int changed;
    int l = get_local_id(0);
    s[l] = 63 - d[get_global_id(0)] % 64;
    for (;;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % 2 == 0 && s[l] > s[l + 1]) {
            int t = s[l];
            s[l] = s[l + 1];
            s[l + 1] = t;
            changed = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % 2 == 1 && l < 63 && s[l] > s[l + 1]) {
            int t = s[l];
            s[l] = s[l + 1];
            s[l + 1] = t;
            changed = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!changed)
            break;
    }
    o[get_global_id(0)] = s[l];
}
