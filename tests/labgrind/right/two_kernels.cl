// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void a(__global float* o) {
    __local float s[64];
    s[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[0] = s[0];
}
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[64];
    s[l] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[g] = s[l];
}
__kernel void z(__global float* o) {
    __local float t[32];
    t[get_local_id(0)] = 1;
    o[0] = t[0];
}
