// run: k 256/64
// global: int 256 = iota
// global: int 16 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local int lock[1];
    __local int best;
    int l = get_local_id(0);
    for (int r = 0; r < 4; r++) {
        if (l == 0) {
            atomic_xchg(lock, 0);
            best = -1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (bool waiting = true; waiting;) {
            if (atomic_xchg(lock, 1) == 0) {
                mem_fence(CLK_LOCAL_MEM_FENCE);
                best = max(best, d[get_global_id(0)] ^ r);
                mem_fence(CLK_LOCAL_MEM_FENCE);
                atomic_xchg(lock, 0);
                waiting = false;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            o[get_group_id(0) * 4 + r] = best;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
