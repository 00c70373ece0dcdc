// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: lock-step-hang 12
__kernel void k(__global const int* in, volatile __global int* mutex, volatile __global int* best) {
    int x = in[get_global_id(0)] + 1, steps = 0;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        steps++;
    }
    while (atomic_cmpxchg(mutex, 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (steps > *best)
        *best = steps;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(mutex, 0);
}
