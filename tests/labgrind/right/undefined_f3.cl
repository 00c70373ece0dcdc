// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    float3 v;
    v.xy = (float2)(d[g], 0);
    v.z = 1;
    float4 w;
    w.xyz = v;
    w.xyz *= 2.0f;
    o[g] = w.x / 2;
    float3 u = w.xyz;
    u = u * 3.0f + v;
    o[g] += dot(u, (float3)(1, 0, 0)) * 0;
}
