// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local int s[96];
    s[l] = d[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = s[l + 32] * (l < 32);
    o[g] = x;
}
