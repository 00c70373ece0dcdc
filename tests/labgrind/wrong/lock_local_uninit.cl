// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: uninitialised 15
// expect: endless-loop 14
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    __local int lm;
    __local int sum;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    bool done = false;
    while (!done)
        if (atomic_cmpxchg(&lm, 0, 1) == 0) {
            mem_fence(CLK_LOCAL_MEM_FENCE);
            sum += data[get_global_id(0)];
            mem_fence(CLK_LOCAL_MEM_FENCE);
            atomic_xchg(&lm, 0);
            done = true;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        s[get_group_id(0)] = sum;
}
