// The unlock ANDs the lock with 1, which leaves it taken.
// run: k 4/2
// global: int 1 = 0
// global: int 1 = 0
// expect: endless-loop 10
// says: it waits until mutex[0] is 0, but it is 1 now; line 14 leaves it as it is
__kernel void k(volatile __global int* mutex, volatile __global int* sum) {
    if (get_local_id(0) != 0)
        return;
    while (atomic_or(mutex, 1) != 0) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += 1;
    atomic_and(mutex, 1);
}
