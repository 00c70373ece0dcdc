// run: k 256/64
// global: int 1 = 0
// global: int 8 = 0
// global: int 8 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* tail, volatile __global int* next,
                volatile __global int* wait, __global int* c) {
    if (get_local_id(0) != 0)
        return;
    int me = get_group_id(0) + 1;
    atomic_xchg(&next[me], 0);
    atomic_xchg(&wait[me], 1);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    int prev = atomic_xchg(tail, me);
    if (prev != 0) {
        atomic_xchg(&next[prev], me);
        while (atomic_or(&wait[me], 0) != 0)
            ;
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *c += me;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_cmpxchg(tail, me, 0) != me) {
        int n;
        while ((n = atomic_or(&next[me], 0)) == 0)
            ;
        atomic_xchg(&wait[n], 0);
    }
}
