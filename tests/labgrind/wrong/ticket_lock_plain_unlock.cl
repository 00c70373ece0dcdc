// The holder of a ticket lock calls the next ticket without an atomic operation.
// run: k 12/4
// global: int 2 = 0
// global: int 1 = 0
// expect: data-race 10
// expect: data-race 12
// expect: data-race 14
// says: both accesses must be atomic
__kernel void k(volatile __global int* lock, __global int* sum) {
    if (get_local_id(0) == 0) { const int ticket = atomic_inc(lock); while (atomic_add(&lock[1], 0) != ticket) {}
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *sum += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        lock[1] = ticket + 1; }
}
