// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global volatile int* L, __global int* c) {
    if (get_local_id(0) == 0) {
        for (;;) {
            while (*L)
                ;
            if (atomic_cmpxchg(L, 0, 1) == 0)
                break;
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        c[0]++;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        (void)atomic_xchg(L, 0);
    }
}
