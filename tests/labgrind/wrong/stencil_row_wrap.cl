// run: st 16x16/8x8
// global: float 256 = iota
// global: float 256 = 0
// expect: out-of-bounds 13
__kernel void st(__global const float* in, __global float* out) {
    __local float t[8][8];
    const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0),
              y = get_global_id(1);
    t[ly][lx] = in[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = t[ly][lx];
    if (ly > 0 && ly < 7)
        s += t[ly][lx - 1] + t[ly][lx + 1];
    out[y * 16 + x] = s;
}
