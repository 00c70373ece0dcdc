// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* L, volatile __global int* c) {
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(L, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L, 0);
    }
}
