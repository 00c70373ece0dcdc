// run: hist 64/32
// global: int 64 = iota
// global: int 1 = -1
// global: int 1 = 0
// expect: lock-step-hang 9
__kernel void hist(__global const int* x, volatile __global int* owner,
                   volatile __global int* sum) {
    int me = get_global_id(0);
    while (atomic_cmpxchg(owner, -1, me) != -1)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += x[me];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(owner, -1);
}
