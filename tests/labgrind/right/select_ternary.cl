// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[96];
    s[l] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = s[l + 32];
    float r = l < 32 ? x : 0.0f;
    o[g] = r;
}
