// run: k 256/64
// global: int 8 = 0
// local: char 8
// expect: nothing
__kernel void k(__global int* c, __local volatile int* L) {
    int l = get_local_id(0);
    if (l < 2)
        L[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int done = 0;
    while (!done) {
        if (atomic_cmpxchg(L + l % 2, 0, 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            c[get_group_id(0) * 2 + l % 2] += 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(L + l % 2, 0);
            done = 1;
        }
    }
}
