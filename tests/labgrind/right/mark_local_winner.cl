// run: k 4/4
// global: int 8
// expect: nothing
__kernel void k(__global int* won) {
    __local int mark[2];
    int me = get_local_id(0);
    if (me < 2)
        mark[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 2; r++) {
        won[4 * r + me] = atomic_cmpxchg(&mark[(me + r) & 1], 0, 1) == 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < 2)
            mark[me] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
