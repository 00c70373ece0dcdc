// run: k 128/32
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
bool try_lock(volatile __global int* m) {
    bool got = atomic_cmpxchg(m, 0, 1) == 0;
    if (got)
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    return got;
}
void unlock(volatile __global int* m) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(m, 0);
}
__kernel void k(volatile __global int* m, __global int* c) {
    bool done = false;
    do {
        if (try_lock(m)) {
            c[0]++;
            unlock(m);
            done = true;
        }
    } while (!done);
}
