// run: k 256/64
// global: float 1024 = 0
// global: float 1 = 0
// expect: nothing
__kernel void k(__global float4* o, __global float* x) {
    float4 v;
    v.xyz = (float3)(1, 2, 3);
    o[get_global_id(0)] = v; /* .w is never read */
}
