// run: k 64/64
// global: int 64 = iota
// global: int 1 = 0
// expect: no-retry 14
__kernel void k(__global const int* in, __global int* out) {
    __local int lock, sum;
    if (get_local_id(0) == 0) {
        lock = 0;
        sum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) % 32 == 0) {
        for (int i = 0; i < 100; i++)
            if (atomic_cmpxchg(&lock, 0, 1) == 0)
                break;
        mem_fence(CLK_LOCAL_MEM_FENCE);
        sum += in[get_global_id(0)];
        mem_fence(CLK_LOCAL_MEM_FENCE);
        atomic_xchg(&lock, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[0] = sum;
}
