// run: k 4/4
// global: int 2
// global: int 4
// expect: nothing
__kernel void k(__global int* mark, __global int* n) {
    int me = get_local_id(0);
    for (int r = 0; r < 2; r++) {
        if (atomic_cmpxchg(&mark[me / 2], 0, 1) == 0)
            atomic_inc(&n[r]);
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (me < 2)
            mark[me] = 0;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
