// run: hist 64/32
// global: int 64 = iota
// global: int 1 = 1
// global: int 4 = 0
// expect: lock-step-hang 7
__kernel void hist(__global const int* x, volatile __global int* avail, volatile __global int* h) {
    while (atomic_cmpxchg(avail, 1, 0) != 1)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    h[x[get_global_id(0)] & 3]++;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(avail, 1);
}
