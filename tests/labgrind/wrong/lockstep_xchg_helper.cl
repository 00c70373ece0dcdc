// run: hist 64/32
// global: int 64 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: lock-step-hang 6
int swap_in(volatile __global int* l, int v) { return atomic_xchg(l, v); }
__kernel void hist(__global const int* x, volatile __global int* m, volatile __global int* sum) {
    while (swap_in(m, 1) == 1)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += x[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    swap_in(m, 0);
}
