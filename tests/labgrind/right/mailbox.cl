// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* m, __global int* c) {
    int l = get_local_id(0);
    if (l == 0)
        atomic_cmpxchg(m, 0, 1);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 1) {
        if (atomic_cmpxchg(m, 1, 0) == 1)
            atomic_inc(c);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}
