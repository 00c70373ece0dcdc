// run: k 64/64
// global: int 64 = 0
// global: int 256 = 0
// global: int 1 = 0
// expect: nothing
// neighbours without repetition: mark while walking the edges, then each work-item clears its own mark
__kernel void k(__global int* mark, __global int* list, volatile __global int* n) {
    int u = get_local_id(0);
    for (int e = 0; e < 3; e++) {
        int v = (u * 5 + e * e) % 64;
        if (atomic_xchg(&mark[v], 1) == 0)
            list[atomic_inc(n)] = v;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    mark[u] = 0;
}
