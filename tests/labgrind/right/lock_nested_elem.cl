// run: k 256/64
// global: int 5 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c) {
    int l = get_local_id(0);
    bool d = false;
    while (!d) {
        if (atomic_cmpxchg(L + l % 4, 0, 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            if (atomic_cmpxchg(L + 4, 0, 1) == 0) {
                mem_fence(CLK_GLOBAL_MEM_FENCE);
                *c += 1;
                mem_fence(CLK_GLOBAL_MEM_FENCE);
                atomic_xchg(L + 4, 0);
                d = true;
            }
            atomic_xchg(L + l % 4, 0);
        }
    }
}
