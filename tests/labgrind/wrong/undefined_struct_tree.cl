// run: t 256/64
// global: float 256 = iota
// local: float 128
// global: float 256 = 0
// expect: uninitialised 19
typedef struct {
    float a;
    float b;
} S;
__kernel void t(__global float* data, __local S* s, __global float* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    if (lid < 32)
        s[lid] = (S){data[gid], 1};
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = n / 2; i > 0; i /= 2) {
        if (lid < i) {
            S o = s[lid + i];
            s[lid].a += o.a;
            s[lid].b += o.b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[grp] = s[0].a;
}
