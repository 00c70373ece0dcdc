// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[128], t[128];
    s[l] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = s[l];
    t[l + 64] = s[l + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    float q[2];
    q[1] = t[l + 64];
    q[0] = t[l];
    o[g] = q[0];
}
