// run: k 256/64
// global: int 1 = 0
// global: int 4 = 0
// global: int 4 = 0
// global: int 4 = 0
// expect: nothing
__kernel void k(volatile __global int* tick, volatile __global int* flag,
                volatile __global int* data, __global int* c) {
    if (get_local_id(0) == 0) {
        int t = atomic_inc(tick);
        int p = 0;
        if (t > 0) {
            while (flag[t - 1] == 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            p = data[t - 1];
        }
        data[t] = p + t;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(flag + t, 1);
        c[t] = p + t;
    }
}
