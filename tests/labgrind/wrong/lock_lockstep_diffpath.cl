// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: lock-step-hang 12
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    int v = data[get_global_id(0)];
    if (get_local_id(0) % 2)
        v += 1;
    else
        v += 2;
    while (atomic_cmpxchg(m, 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *s += v;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(m, 0);
}
