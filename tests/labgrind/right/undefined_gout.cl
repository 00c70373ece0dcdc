// run: k 256/64
// global: float 256 = iota
// global: float 1024 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __global float4* q = (__global float4*)o;
    float4 v;
    v.xyz = (float3)(d[g], d[g], d[g]);
    q[g] = v;
}
