// The first of two words is written before the lock is taken.
// run: k 12/4
// global: int 1 = 0
// global: int 2 = 0
// expect: data-race 9
// says: both come before the lock is taken at line 10, so it protects neither of them
__kernel void k(volatile __global int* lock, __global int* sum) {
    if (get_local_id(0) == 0) {
        sum[1] += get_group_id(0);
        while (atomic_cmpxchg(lock, 0, 1) != 0) {}
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        sum[0] += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
    }
}
