// run: k 256/64
// global: int 256 = iota
// global: int 16 = 0
// expect: missing-fence 15
// expect: missing-fence 17
__kernel void k(__global const int* in, __global int* out) {
    __local int lock, sum;
    if (get_local_id(0) == 0) {
        lock = 0;
        sum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int done = 0;
    while (!done) {
        if (atomic_cmpxchg(&lock, 0, 1) == 0) {
            sum += in[get_global_id(0)];
            atomic_xchg(&lock, 0);
            done = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = sum;
}
