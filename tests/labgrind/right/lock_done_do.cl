// run: k 256/64
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
int try_lock(volatile __global int* p) { return atomic_xchg(p, 1) == 0; }
void unlock(volatile __global int* p) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_cmpxchg(p, 1, 0);
}
__kernel void k(volatile __global int* L, __global int* c) {
    int w = 1;
    do {
        if (try_lock(L)) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            (*c)++;
            unlock(L);
            w = 0;
        }
    } while (w);
}
