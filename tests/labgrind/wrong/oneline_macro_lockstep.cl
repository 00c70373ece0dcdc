// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: lock-step-hang 9
#define LOCK(m) while (atomic_cmpxchg(m, 0, 1) != 0); mem_fence(CLK_GLOBAL_MEM_FENCE)
#define UNLOCK(m) mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(m, 0)
__kernel void k(__global const int* in, volatile __global int* lock, volatile __global int* sum) {
    LOCK(lock); *sum += in[get_global_id(0)]; UNLOCK(lock);
}
