// run: k 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: lock-step-hang 8
__kernel void k(__global const int* in, volatile __global int* lock, volatile __global int* hist) {
    const int b = in[get_global_id(0)] % 16;
    while (atomic_cmpxchg(&lock[b], 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    hist[b]++;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&lock[b], 0);
}
