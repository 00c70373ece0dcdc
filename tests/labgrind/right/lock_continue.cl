// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c) {
    int todo = 3;
    while (todo) {
        if (atomic_cmpxchg(L, 0, 1) != 0)
            continue;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L, 0);
        todo--;
    }
}
