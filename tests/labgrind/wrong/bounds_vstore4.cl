// run: t 256/64
// global: float 256 = iota
// local: char 256
// global: float 256 = 0
// expect: out-of-bounds 9
__kernel void t(__global float* data, __local float* t, __global float* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    vstore4((float4)(1), gid, out);
}
