// run: t 256/64
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: uninitialised 11
__kernel void t(__global float* data, __local float* t, __global float* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    float m;
    for (int i = 0; i < 4; i++)
        m = max(m, data[i]);
    out[gid] = m;
}
