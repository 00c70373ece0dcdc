// run: k 256/64
// global: int 4 = 0
// expect: nothing
__kernel void k(__global int* c) {
    __local int w;
    if (get_local_id(0) == 0)
        w = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (atomic_cmpxchg(&w, 0, 1) == 0)
        c[get_group_id(0)] = 42;
}
