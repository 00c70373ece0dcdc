// run: k 4/4
// global: int 8
// expect: nothing
__kernel void k(__global int* won) {
    __local int taken;
    int me = get_local_id(0);
    if (me == 0)
        taken = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    won[me] = atomic_cmpxchg(&taken, 0, 1) == 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        taken = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    won[4 + me] = me != 0 && atomic_cmpxchg(&taken, 0, 1) == 0;
}
