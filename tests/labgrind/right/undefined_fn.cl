// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
float4 f(float4 a, float4 b) {
    float4 r = a + b;
    return r;
}
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    float4 v, w;
    v.x = d[g];
    w.x = 0;
    float4 r = f(v, w);
    o[g] = r.x;
}
