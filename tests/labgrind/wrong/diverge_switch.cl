// run: t 256/64
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: divergent-barrier 12
__kernel void t(__global float* data, __local float* t, __global float* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    t[lid] = data[gid];
    switch (lid % 2) {
    case 0:
        barrier(CLK_LOCAL_MEM_FENCE);
        break;
    default:
        t[lid] = 1;
    }
    if (lid == 0)
        out[grp] = t[0];
}
