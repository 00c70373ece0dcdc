// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[64];
    __local int* q = (__local int*)s;
    q[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = q[63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local float4* v = (__local float4*)s;
    if (l < 16)
        vstore4(v[l], l, o + get_group_id(0) * 64);
}
