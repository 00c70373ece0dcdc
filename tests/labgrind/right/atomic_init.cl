// run: k 256/64
// global: int 4 = 0
// expect: nothing
__kernel void k(__global int* c) {
    __local int s;
    if (get_local_id(0) == 0)
        atomic_xchg(&s, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&s);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        c[get_group_id(0)] = s;
}
