// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: data-race 15
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    __local int lm;
    if (get_local_id(0) == 0)
        lm = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(&lm, 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *s += data[get_group_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(&lm, 0);
    }
}
