// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[256];
    vstore4((float4)(d[g], 1, 2, 3), l, s);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[g] = s[4 * l];
}
