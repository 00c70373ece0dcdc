// run: k 64/32
// global: int 16 = 0
// global: int 16 = 100
// expect: nothing
// bank transfers: both locks or none
__kernel void k(volatile __global int* lock, __global int* money) {
    int a = get_global_id(0) % 16, b = (a * 3 + 1) % 16;
    if (a == b)
        return;
    bool done = false;
    while (!done) {
        if (atomic_cmpxchg(&lock[a], 0, 1) == 0) {
            if (atomic_cmpxchg(&lock[b], 0, 1) == 0) {
                mem_fence(CLK_GLOBAL_MEM_FENCE);
                money[a] -= 1;
                money[b] += 1;
                mem_fence(CLK_GLOBAL_MEM_FENCE);
                atomic_xchg(&lock[b], 0);
                done = true;
            }
            atomic_xchg(&lock[a], 0);
        }
    }
}
