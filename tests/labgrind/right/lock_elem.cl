// run: k 256/64
// global: int 8 = 0
// global: int 256 = iota
// global: int 8 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global const int* d, __global int* o) {
    int e = d[get_global_id(0)] % 8;
    int done = 0;
    while (!done) {
        if (atomic_cmpxchg(L + e, 0, 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            o[e] += d[get_global_id(0)];
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&L[e], 0);
            done = 1;
        }
    }
}
