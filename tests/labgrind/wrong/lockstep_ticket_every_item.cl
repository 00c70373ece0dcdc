// run: hist 64/32
// global: int 64 = iota
// global: int 2 = 0
// global: int 1 = 0
// expect: lock-step-hang 8
__kernel void hist(__global const int* x, volatile __global int* q, volatile __global int* sum) {
    int my = atomic_inc(&q[0]);
    while (atomic_add(&q[1], 0) != my)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += x[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(&q[1]);
}
