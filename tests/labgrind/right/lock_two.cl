// run: k 256/64
// global: int 4 = 0
// global: int 4 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c) {
    if (get_local_id(0) == 0) {
        int a = get_group_id(0) % 2, b = 1;
        int lo = min(a, b), hi = max(a, b) + 1;
        while (atomic_cmpxchg(L + lo, 0, 1) != 0)
            ;
        while (atomic_cmpxchg(L + hi, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        c[lo]++;
        c[hi]++;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L + hi, 0);
        atomic_xchg(L + lo, 0);
    }
}
