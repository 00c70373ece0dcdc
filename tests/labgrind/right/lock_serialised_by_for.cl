// run: k 64/32
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
// one work-item of the group after the other takes the lock
__kernel void k(volatile __global int* m, __global int* c) {
    for (int i = 0; i < get_local_size(0); i++) {
        if (get_local_id(0) == i) {
            while (atomic_cmpxchg(m, 0, 1) != 0) {
            }
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            c[0] += i;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(m, 0);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
