// All work-items write while the first one holds the lock for them, but it does not wait for them.
// run: k 12/4
// global: int 1 = 0
// global: int 4 = 0
// expect: data-race 14
// says: there must be a barrier(CLK_GLOBAL_MEM_FENCE) between line 14 and the release of the lock at line 17: it protects the accesses of all
__kernel void k(volatile __global int* mutex, __global int* sums) {
    const int lid = get_local_id(0);
    if (lid == 0) {
        while (atomic_cmpxchg(mutex, 0, 1) != 0) {}
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    sums[lid] += 1;
    if (lid == 0) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(mutex, 0);
    }
}
