// run: k 64/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 4 = 0
// expect: data-race 9
__kernel void k(__global const int* in, volatile __global int* n, __global int* out) {
    for (int r = 0; r < 4; r++) {
        if (in[r * 64 + get_local_id(0)] % 3 == 0) atomic_inc(n);
        if (get_local_id(0) == 0) out[r] = *n;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
