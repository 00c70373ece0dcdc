// run: k 64/64
// global: int 256 = iota
// global: int 4 = 0
// expect: data-race 11
__kernel void k(__global const int* in, __global int* out) {
    __local volatile int n;
    if (get_local_id(0) == 0) n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 4; r++) {
        if (in[r * 64 + get_local_id(0)] % 3 == 0) atomic_inc(&n);
        if (get_local_id(0) == 0) out[r] = n;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
