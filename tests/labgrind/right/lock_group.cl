// run: k 256/64
// global: int 1 = 0
// global: int 64 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c) {
    int l = get_local_id(0);
    if (l == 0)
        while (atomic_cmpxchg(L, 0, 1) != 0)
            ;
    barrier(CLK_GLOBAL_MEM_FENCE);
    c[l] += l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0)
        atomic_xchg(L, 0);
}
