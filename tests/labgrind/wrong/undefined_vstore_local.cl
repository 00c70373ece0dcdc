// run: k 16/16
// global: float 16 = iota
// global: float 64 = 0
// expect: uninitialised 10
// says: reads v at line 10, which is uninitialized, and a result in global memory depends on it at line 13
__kernel void k(__global const float* in, __global float* out) {
    __local float s[64];
    const int l = get_local_id(0);
    float4 v;
    v.xy = in[l];
    vstore4(v, l, s);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = s[63 - l];
}
