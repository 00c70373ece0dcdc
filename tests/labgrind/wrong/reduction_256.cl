// run: t 1024/256
// global: int 1024 = iota
// local: int 256
// global: int 4 = 0
// expect: data-race 13
__kernel void t(__global int* data, __local int* t, volatile __global int* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    t[lid] = data[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = n / 2; i > 0; i /= 2) {
        if (lid < i)
            t[lid] += t[lid + i];
        if (i > 32)
            barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[grp] = t[0];
}
