// run: k 64/64
// global: int 1 = 0
// expect: nothing
__kernel void k(__global int* c) {
    __local int L;
    __local int s;
    int l = get_local_id(0);
    if (l == 0) {
        L = 0;
        s = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int done = 0;
    while (!done) {
        if (atomic_cmpxchg(&L, 0, 1) == 0) {
            mem_fence(CLK_LOCAL_MEM_FENCE);
            s += l;
            mem_fence(CLK_LOCAL_MEM_FENCE);
            atomic_xchg(&L, 0);
            done = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        c[get_group_id(0)] = s;
}
