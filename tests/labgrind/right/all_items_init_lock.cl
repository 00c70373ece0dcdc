// run: k 128/64
// global: int 128 = iota
// global: int 2 = 0
// expect: nothing
// all work-items open the lock before the barrier
__kernel void k(__global const int* d, __global int* o) {
    __local int lock, sum;
    lock = 0;
    sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int done = 0;
    while (!done) {
        if (atomic_cmpxchg(&lock, 0, 1) == 0) {
            mem_fence(CLK_LOCAL_MEM_FENCE);
            sum += d[get_global_id(0)];
            mem_fence(CLK_LOCAL_MEM_FENCE);
            atomic_xchg(&lock, 0);
            done = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        o[get_group_id(0)] = sum;
}
