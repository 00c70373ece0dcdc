// run: k 256/64
// global: int 4 = 0
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* flag, __global int* n, __global int* c) {
    if (get_local_id(0) != 0)
        return;
    atomic_xchg(flag + get_group_id(0), 1); /* "tile is ready" */
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(n) == get_num_groups(0) - 1) { /* the last one clears for the next launch */
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        for (int i = 0; i < get_num_groups(0); i++)
            *c += atomic_xchg(flag + i, 0);
    }
}
