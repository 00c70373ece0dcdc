// run: k 256/64
// global: int 1 = 0
// global: int 2 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c) {
    int got = 0;
    for (int i = 0; i < 10; i++)
        if (atomic_cmpxchg(L, 0, 1) == 0) {
            got = 1;
            break;
        }
    if (got) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(L, 0);
    } else
        atomic_inc(c + 1);
}
