// run: k 64/64
// global: int 2 = 0
// global: int 1 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* t, volatile __global int* best, __global int* count) {
    int mine = atomic_inc(&t[0]);
    bool done = false;
    while (!done) {
        if (atomic_or(&t[1], 0) == mine) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            *count += mine;
            int old = atomic_or(best, 0);
            for (;;) {
                int seen = atomic_cmpxchg(best, old, old + 2);
                if (seen == old)
                    break;
                old = seen;
            }
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_inc(&t[1]);
            done = true;
        }
    }
}
