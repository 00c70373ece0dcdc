// run: hist 64/32
// global: int 64 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: lock-step-hang 7
__kernel void hist(__global const int* x, volatile __global int* m, volatile __global int* sum) {
    while (atomic_inc(m) != 0)
        atomic_dec(m);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += x[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_dec(m);
}
