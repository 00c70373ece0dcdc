// run: t 8/2
// read-only: int 1 = 0
// global: int 1 = 0
// expect: writes-read-only 7
// expect: writes-read-only 12
void lock(volatile __global int* mutex) {
    while (atomic_cmpxchg(mutex, 0, 1) != 0) {
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
void unlock(volatile __global int* mutex) {
    mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(mutex, 0);
}
__kernel void t(volatile __global int* mutex, volatile __global int* sum) {
    if (get_local_id(0) == 0) {
        lock(mutex);
        *sum += 1;
        unlock(mutex);
    }
}
