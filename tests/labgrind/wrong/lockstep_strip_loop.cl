// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: lock-step-hang 11
__kernel void k(__global const int* in, volatile __global int* mutex,
                volatile __global int* total) {
    int sum = 0;
    for (int i = 0; i <= get_local_id(0); i++)
        sum += in[i];
    while (atomic_cmpxchg(mutex, 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *total += sum;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(mutex, 0);
}
