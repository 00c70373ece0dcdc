// run: bfs 64/16
// global: int 64 = iota
// global: int 256 = 0
// global: int 1 = 0
// expect: out-of-bounds 15
// expect: out-of-bounds 21
__kernel void bfs(__global const int* in, __global int* next, volatile __global int* count) {
    __local int q[16];
    __local int n, base;
    const int lid = get_local_id(0);
    if (lid == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int e = 0; e < 2; e++)
        q[atomic_inc(&n)] = in[get_global_id(0)] + e;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        base = atomic_add(count, n);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lid; i < n; i += 16)
        next[base + i] = q[i];
}
