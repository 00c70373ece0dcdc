// run: k 256/64
// global: int 2 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c) {
    if (get_local_id(0) == 0) {
        int t = atomic_inc(L);
        while (L[1] != t)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(L + 1);
    }
}
