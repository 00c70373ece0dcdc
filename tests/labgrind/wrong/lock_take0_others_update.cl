// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: data-race 11
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    if (get_local_id(0) == 0)
        while (atomic_cmpxchg(m, 0, 1) != 0)
            ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    s[get_local_id(0) & 3] += data[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_xchg(m, 0);
}
