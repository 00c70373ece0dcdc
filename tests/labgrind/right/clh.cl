// run: k 256/64
// global: int 1 = 0
// global: int 8 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* tail, volatile __global int* busy, __global int* c) {
    if (get_local_id(0) != 0)
        return;
    int me = get_group_id(0) + 1;
    atomic_xchg(&busy[me], 1);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    int prev = atomic_xchg(tail, me);
    while (atomic_add(&busy[prev], 0) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *c += me;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&busy[me], 0);
}
