// run: k 256/64
// global: int 16 = 0
// global: int 16 = 0
// expect: nothing
__kernel void k(volatile __global int* L, __global int* c) {
    int g = get_global_id(0);
    int b = g % 16;
    int done = 0;
    while (!done) {
        if (!atomic_xchg(&L[b], 1)) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            c[b] = c[b] + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&L[b], 0);
            done = 1;
        }
    }
}
