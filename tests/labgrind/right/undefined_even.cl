// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    float4 v;
    v.even = (float2)(d[g], 2);
    v.s3 = 3;
    o[g] = v.s0 + v.s2 + v.s3 - 5;
}
