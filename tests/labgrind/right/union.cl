// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    union {
        float4 v;
        float f[4];
        uint u[4];
    } x;
    x.f[0] = d[g];
    x.u[1] = 0;
    float4 w = x.v;
    o[g] = w.x + w.y;
}
