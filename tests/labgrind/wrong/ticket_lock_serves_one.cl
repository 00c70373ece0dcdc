// The release of a ticket lock always serves ticket 1.
// run: k 12/4
// global: int 2 = 0
// global: int 1 = 0
// expect: endless-loop 11
// says: it waits until lock[1] is 2, but it is 1 now; line 15 changes it
__kernel void k(volatile __global int* lock, __global int* sum) {
    if (get_local_id(0) != 0)
        return;
    const int mine = atomic_inc(&lock[0]);
    while (atomic_add(&lock[1], 0) != mine) {}
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    sum[0] += 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&lock[1], 1);
}
