// run: k 256/64
// global: float 512 = iota
// global: float 512 = 0
// expect: nothing
__kernel void k(__global const float2* d, __global float2* o) {
    float2 v = d[get_global_id(0)];
    float2 r;
    r.y = v.x;
    r.x = v.y;
    float8 w;
    w.lo = (float4)(r, v);
    w.hi = w.lo.wzyx;
    o[get_global_id(0)] = w.s01;
}
