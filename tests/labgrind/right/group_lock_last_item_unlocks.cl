// run: k 256/64
// global: int 256 = iota
// global: int 64 = 0
// global: int 1 = 0
// expect: nothing
// the whole group is in the critical section; its last item opens the lock
__kernel void k(__global const int* d, __global int* acc, volatile __global int* lock) {
    int l = get_local_id(0), n = get_local_size(0);
    if (l == 0)
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    acc[l] += d[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l == n - 1)
        atomic_xchg(lock, 0);
}
