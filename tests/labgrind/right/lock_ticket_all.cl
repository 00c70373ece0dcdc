// run: k 256/64
// global: int 2 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global volatile int* L, __global int* c) {
    int done = 0;
    int t = atomic_inc(L);
    while (!done) {
        if (atomic_add(L + 1, 0) == t) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            c[0]++;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_inc(L + 1);
            done = 1;
        }
    }
}
