// run: bfs 64/16
// global: int 64 = iota
// global: int 256 = 0
// global: int 1 = 0
// expect: data-race 19
__kernel void bfs(__global const int* in, __global int* next, volatile __global int* count) {
    __local int q[32];
    __local int n, base;
    const int lid = get_local_id(0);
    if (lid == 0)
        n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] % 2)
        q[atomic_inc(&n)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        base = atomic_add(count, n);
    for (int i = lid; i < n; i += 16)
        next[base + i] = q[i];
}
