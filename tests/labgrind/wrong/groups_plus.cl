// run: t 256/64
// global: int 256 = iota
// local: int 64
// global: int 256 = 0
// expect: data-race 17
__kernel void t(__global int* data, __local int* t, volatile __global int* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    t[lid] = data[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = n / 2; i > 0; i /= 2) {
        if (lid < i)
            t[lid] += t[lid + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[0] += t[0];
}
