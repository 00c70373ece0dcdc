// run: k 256/64
// global: uint 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global uint* L, __global int* c) {
    if (get_local_id(0) == 63) {
        while (atomic_cmpxchg(L, 0u, 1u) == 1u)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_sub(L, 1u);
    }
}
