// run: k 256/64
// global: int 256 = iota
// global: int 4 = 0
// expect: data-race 21
__kernel void k(__global int* data, __global int* sums) {
    __local int t[64];
    const int lid = get_local_id(0), g = get_group_id(0);
    t[lid] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 64; d *= 2) {
        int v = lid >= d ? t[lid - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 63)
        sums[g] = t[63];
    barrier(CLK_GLOBAL_MEM_FENCE);
    int base = 0;
    for (int i = 0; i < g; i++)
        base += sums[i];
    data[get_global_id(0)] = t[lid] + base;
}
