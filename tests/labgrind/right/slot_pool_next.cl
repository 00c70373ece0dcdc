// run: k 64/8
// global: int 3
// global: int 8
// global: int 3
// expect: nothing
__kernel void k(volatile __global int* port, __global int* served, volatile __global int* load) {
    if (get_local_id(0))
        return;
    int p = get_group_id(0) & 1;
    while (atomic_xchg(&port[p], 1) != 0)
        p = p == 2 ? 0 : p + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    load[p] += 1;
    served[get_group_id(0)] = p;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&port[p], 0);
}
