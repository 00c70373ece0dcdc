// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c) {
    if (get_local_id(0) == 0) {
        int b = 1;
        while (atomic_xchg(L, 1) != 0) {
            for (volatile int i = 0; i < b; i++)
                ;
            b *= 2;
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L, 0);
    }
}
