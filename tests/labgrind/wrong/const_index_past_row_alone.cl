// run: k 16/16
// global: float 16 = iota
// global: float 16 = 0
// expect: out-of-bounds 10
__kernel void k(__global const float* x, __global float* o) {
    __local float t[4][4];
    int l = get_local_id(0);
    t[l / 4][l % 4] = x[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = l % 4 == 3 && l < 12 ? t[l / 4][4] : t[l / 4][l % 4 + 1 < 4 ? l % 4 + 1 : 3];
}
