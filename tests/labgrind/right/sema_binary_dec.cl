// run: k 256/64
// global: int 1 = 1
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* sem, __global int* c) {
    if (get_local_id(0) == 0) {
        while (atomic_dec(sem) <= 0)
            atomic_inc(sem);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *c += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(sem);
    }
}
