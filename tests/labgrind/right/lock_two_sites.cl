// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
void lk(volatile __global int* L) {
    while (atomic_cmpxchg(L, 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
__kernel void k(volatile __global int* L, __global int* c) {
    int l = get_local_id(0);
    if (l == 0) {
        lk(L);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        lk(L);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L, 0);
    }
    if (l == 40) {
        lk(L);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L, 0);
    }
}
