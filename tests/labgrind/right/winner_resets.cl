// run: k 256/64
// global: int 4 = 0
// expect: nothing
__kernel void k(__global int* c) {
    __local int taken;
    __local int winner;
    int l = get_local_id(0);
    if (l == 0)
        taken = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        if (atomic_xchg(&taken, 1) == 0)
            winner = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == winner) {
            c[get_group_id(0)] += l + 1;
            taken = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
