// run: k 256/64
// global: int 1 = 1
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
// the lock comes closed: the work-item that draws number 0 prepares the data and opens it
__kernel void k(volatile __global int* lock, volatile __global int* n, __global int* sum) {
    if (get_local_id(0) != 0)
        return;
    if (atomic_inc(n) == 0) {
        *sum = 100;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
    }
    while (atomic_cmpxchg(lock, 0, 1))
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}
