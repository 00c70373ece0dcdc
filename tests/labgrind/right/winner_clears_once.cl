// run: k 256/64
// global: int 4 = 0
// expect: nothing
__kernel void k(__global int* c) {
    __local int taken;
    int l = get_local_id(0);
    if (l == 0)
        taken = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    bool won = atomic_cmpxchg(&taken, 0, 1) == 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (won) {
        c[get_group_id(0)] = l + 1;
        taken = 0;
    }
}
