// run: k 64/64
// global: int 16 = 0
// expect: nothing
// histogram by claims: in each round one work-item per bin wins, then the claims are cleared
__kernel void k(__global int* hist) {
    __local int claim[16];
    __local int left;
    __local int h[16];
    int l = get_local_id(0), bin = (l * 7) % 16;
    bool done = false;
    if (l < 16) {
        claim[l] = 0;
        h[l] = 0;
    }
    for (;;) {
        if (l == 0)
            left = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!done && atomic_cmpxchg(&claim[bin], 0, l + 1) == 0) {
            h[bin]++;
            done = true;
        }
        if (!done)
            left = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 16)
            claim[l] = 0;
        if (!left)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l < 16)
        hist[l] = h[l];
}
