// run: t 256/64
// global: int 256 = iota
// global: int 1 = 7
// global: int 1 = 0
// expect: lock-not-free 9
// says: the lock word starts at 7 and is never set to 0
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(m, 0, 1) == 1)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        s[0] += data[get_group_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(m, 0);
    }
}
