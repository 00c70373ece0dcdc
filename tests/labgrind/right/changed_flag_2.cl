// run: k 64/64
// global: int 64 = 0
// expect: nothing
__kernel void k(__global int* o) {
    __local int s[64], changed;
    int l = get_local_id(0);
    s[l] = l;
    for (;;) {
        if (l == 0)
            changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (s[l] > 60) {
            s[l]--;
            atomic_xchg(&changed, 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        int go = changed;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!go)
            break;
    }
    o[get_global_id(0)] = s[l];
}
