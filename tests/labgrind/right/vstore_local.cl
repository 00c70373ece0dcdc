// run: k 16/16
// global: float 16 = iota
// global: float 64 = 0
// expect: nothing
__kernel void k(__global const float* in, __global float* out) {
    __local float s[64];
    const int l = get_local_id(0);
    float4 v = (float4)(in[l]);
    vstore4(v, l, s);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = s[63 - l];
}
