// run: t 256/64
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: nothing
__kernel void t(__global float* data, __local float* t, __global float* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    __local int lm, sum;
    if (lid == 0) {
        lm = 0;
        sum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    bool done = false;
    while (!done)
        if (atomic_cmpxchg(&lm, 0, 1) == 0) {
            mem_fence(CLK_LOCAL_MEM_FENCE);
            sum += data[gid];
            mem_fence(CLK_LOCAL_MEM_FENCE);
            atomic_xchg(&lm, 0);
            done = true;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        out[grp] = sum;
}
