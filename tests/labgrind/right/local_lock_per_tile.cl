// run: k 128/64
// global: int 512 = iota
// global: int 8 = 0
// expect: nothing
// every tile starts with an open lock and an empty list
__kernel void k(__global const int* d, __global int* o) {
    __local int lock, n, list[64];
    int l = get_local_id(0);
    for (int tile = get_group_id(0); tile < 8; tile += get_num_groups(0)) {
        if (l == 0) {
            lock = 0;
            n = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 2 || l > 61) {
            bool wait = true;
            while (wait) {
                if (!atomic_cmpxchg(&lock, 0, 1)) {
                    mem_fence(CLK_LOCAL_MEM_FENCE);
                    list[n++] = d[tile * 64 + l];
                    mem_fence(CLK_LOCAL_MEM_FENCE);
                    atomic_xchg(&lock, 0);
                    wait = false;
                }
                mem_fence(CLK_LOCAL_MEM_FENCE);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) {
            int t = 0;
            for (int i = 0; i < n; i++)
                t += list[i];
            o[tile] = t;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
