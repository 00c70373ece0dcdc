// run: k 12/4
// global: int 1 = 0
// global: int 1 = 0
// expect: never-unlocked 6
__kernel void k(volatile __global int* mutex, __global int* total) {
    if (get_local_id(0) == 0) { while (atomic_xchg(mutex, 1) != 0) { }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *total += 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(mutex, -1);
    }
}
