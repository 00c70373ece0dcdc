// run: k 256/64
// global: int 1 = -1
// global: int 1 = 0
// expect: nothing
void acquire(volatile __global int* m, int id) {
    while (atomic_cmpxchg(m, -1, id) != -1)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
void release(volatile __global int* m, int id) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_cmpxchg(m, id, -1);
}
__kernel void k(volatile __global int* m, __global int* c) {
    if (get_local_id(0) == 0) {
        acquire(m, get_group_id(0));
        *c += 1;
        release(m, get_group_id(0));
    }
}
