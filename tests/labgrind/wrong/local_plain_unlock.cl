// run: k 64/64
// global: int 64 = iota
// global: int 1 = 0
// expect: plain-unlock 19
__kernel void k(__global const int* in, __global int* out) {
    __local int sum;
    __local volatile int lock;
    if (get_local_id(0) == 0) {
        lock = 0;
        sum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int done = 0;
    while (!done) {
        if (atomic_cmpxchg(&lock, 0, 1) == 0) {
            mem_fence(CLK_LOCAL_MEM_FENCE);
            sum += in[get_global_id(0)];
            mem_fence(CLK_LOCAL_MEM_FENCE);
            lock = 0;
            done = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[0] = sum;
}
