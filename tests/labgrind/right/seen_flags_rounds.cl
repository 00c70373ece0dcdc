// run: k 128/64
// global: int 128 = iota
// global: int 128 = 0
// expect: nothing
// mark the distinct values of each round
__kernel void k(__global const int* d, __global int* o) {
    __local int seen[32];
    __local int n;
    int l = get_local_id(0);
    int total = 0;
    for (int r = 0; r < 3; r++) {
        if (l < 32)
            seen[l] = 0;
        if (l == 0)
            n = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int v = (d[get_global_id(0)] * (r + 3)) % 32;
        if (atomic_xchg(&seen[v], 1) == 0)
            atomic_inc(&n);
        barrier(CLK_LOCAL_MEM_FENCE);
        total += n;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[get_global_id(0)] = total;
}
