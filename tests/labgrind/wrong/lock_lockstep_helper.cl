// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: lock-step-hang 7
void lock(volatile __global int* m) {
    while (atomic_cmpxchg(m, 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
void unlock(volatile __global int* m) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(m, 0);
}
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    lock(m);
    *s += data[get_global_id(0)];
    unlock(m);
}
