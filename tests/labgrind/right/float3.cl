// run: k 256/64
// global: float 1024 = 2
// global: float 1024 = 0
// global: float 768 = 0
// expect: nothing
__kernel void k(__global const float3* d, __global float3* o, __global float* q) {
    __local float3 s[64];
    float3 v;
    int l = get_local_id(0), g = get_global_id(0);
    v.x = d[g].x;
    v.y = d[g].y;
    v.z = d[g].z;
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    float3 w = cross(s[63 - l], v) + v * 2.0f;
    w = fma(w, v, v);
    w = normalize(w);
    float2 u;
    u.x = w.x;
    u.y = w.y;
    o[g] = s[63 - l];
    vstore3(v, g, q);
}
