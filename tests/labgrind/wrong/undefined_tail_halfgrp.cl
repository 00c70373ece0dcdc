// run: t 256/64
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: uninitialised 14
__kernel void t(__global float* data, __local float* t, __global float* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    if (lid < n / 2)
        t[lid] = data[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = n / 2; i > 0; i /= 2) {
        if (lid < i)
            t[lid] += t[lid + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[grp] = t[0];
}
