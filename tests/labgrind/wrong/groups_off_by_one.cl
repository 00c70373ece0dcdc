// run: t 256/64
// global: int 256 = iota
// local: int 64
// global: int 256 = 0
// expect: data-race 10
__kernel void t(__global int* data, __local int* t, volatile __global int* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    out[gid] = 1;
    out[gid + (gid < 255)] = 2 + gid;
}
