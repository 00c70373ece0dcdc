// run: k 256/64
// global: int 256 = 0
// expect: nothing
__kernel void k(__global int* o) {
    __local int s[64];
    __local int ch;
    int l = get_local_id(0);
    s[l] = (l * 37) % 64;
    for (;;) {
        if (l == 0)
            ch = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int m = s[l];
        if (l > 0)
            m = max(m, s[l - 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (m != s[l]) {
            s[l] = m;
            atomic_xchg(&ch, 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        int go = ch;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!go)
            break;
    }
    o[get_global_id(0)] = s[l];
}
