// run: k 256/64
// global: int 1 = -1
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* s, __global int* c) {
    if (get_local_id(0) == 0) {
        int me = get_group_id(0);
        while (atomic_cmpxchg(s, -1, me) != -1)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(s, -1);
    }
}
