// run: k 64/64
// global: int 2 = 0
// global: int 1 = 0
// expect: nothing
// ticket lock in a loop, tickets drawn by compare-and-swap
__kernel void k(volatile __global int* t, __global int* count) {
    int mine, seen = atomic_or(&t[0], 0);
    do {
        mine = seen;
        seen = atomic_cmpxchg(&t[0], mine, mine + 1);
    } while (seen != mine);
    bool done = false;
    while (!done) {
        if (atomic_or(&t[1], 0) == mine) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            *count += mine;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_inc(&t[1]);
            done = true;
        }
    }
}
