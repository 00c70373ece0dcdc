// run: k 256/64
// global: int 256 = iota
// global: int 16 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local int lock, sum;
    int l = get_local_id(0);
    for (int r = 0; r < 4; r++) {
        if (l == 0) {
            lock = 0;
            sum = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        int done = 0;
        while (!done) {
            if (atomic_cmpxchg(&lock, 0, 1) == 0) {
                mem_fence(CLK_LOCAL_MEM_FENCE);
                sum += d[(get_global_id(0) + r) % 256];
                mem_fence(CLK_LOCAL_MEM_FENCE);
                atomic_xchg(&lock, 0);
                done = 1;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            o[get_group_id(0) * 4 + r] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
