// run: k 64/64
// global: int 64 = iota
// global: int 8 = 0
// expect: nothing
// in each round a work-item may raise the flag; item 0 takes it down
__kernel void k(__global const int* d, __global int* o) {
    __local int found;
    int l = get_local_id(0);
    for (int r = 0; r < 8; r++) {
        if (l == 0)
            atomic_xchg(&found, 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (d[l] % (r + 2) == 1)
            atomic_xchg(&found, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            o[r] = found;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
