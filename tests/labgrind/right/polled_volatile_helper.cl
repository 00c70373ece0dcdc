// run: k 256/64
// global: int 5 = 0
// global: int 4 = 0
// expect: nothing
int peek(volatile __global int* p) { return *p; }
__kernel void k(volatile __global int* turn, __global int* data) {
    if (get_local_id(0) != 0)
        return;
    int g = get_group_id(0);
    int me = atomic_inc(&turn[4]);
    while (me > 0 && peek(&turn[me - 1]) == 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    data[me] = (me ? data[me - 1] : 0) + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&turn[me], 1);
}
