// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c) {
    for (int done = 0; !done;) {
        int old = atomic_cmpxchg(L, 0, 1);
        if (old == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            c[0] += 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            done = 1;
            atomic_and(L, 0);
        }
    }
}
