// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[68];
    s[l] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 v = vload4(0, s + l);
    o[g] = v.x;
}
