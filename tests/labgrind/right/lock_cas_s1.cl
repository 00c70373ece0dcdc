// run: k 4/1
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* L, volatile __global int* c) {
    while (atomic_cmpxchg(L, 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *c += 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(L, 0);
}
