// run: k 64/64
// global: int 64 = iota
// expect: nothing
// label propagation in one group
__kernel void k(__global int* label) {
    __local int s[64];
    __local int changed;
    int l = get_local_id(0);
    s[l] = label[l];
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            changed = 0;
        int m = s[l];
        if (l > 0)
            m = min(m, s[l - 1]);
        if (l < 63 && l != 20)
            m = min(m, s[l + 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (m != s[l]) {
            s[l] = m;
            changed = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (changed);
    label[l] = s[l];
}
