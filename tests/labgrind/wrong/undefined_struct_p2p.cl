// run: t 256/64
// global: float 256 = iota
// local: float 128
// global: float 256 = 0
// expect: uninitialised 16
typedef struct {
    float a;
    float b;
} S;
__kernel void t(__global float* data, __local S* s, __global float* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    S mine, x;
    mine.a = data[gid];
    x = mine;
    out[gid] = x.b;
}
