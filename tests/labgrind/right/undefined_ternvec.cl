// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    float4 v;
    v.x = d[g];
    float4 w = (float4)(7);
    int4 c = (int4)(-1);
    float4 r = c ? v : w;
    o[g] = r.x;
}
