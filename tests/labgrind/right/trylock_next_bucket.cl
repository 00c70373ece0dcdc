// run: k 64/16
// global: int 4 = 0
// global: int 4 = 0
// expect: nothing
// sums spread over 4 cells; a busy one is left for the next
__kernel void k(volatile __global int* lock, __global int* cell) {
    int i = get_global_id(0) % 4;
    bool done = false;
    while (!done) {
        if (atomic_xchg(&lock[i], 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            cell[i] += get_global_id(0);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&lock[i], 0);
            done = true;
        } else {
            i = (i + 1) % 4;
        }
    }
}
