// run: k 16x16/8x8
// global: float 256 = iota
// global: float 256 = 0
// expect: out-of-bounds 15
__kernel void k(__global const float* in, __global float* out) {
    __local float t[10][8];
    const int lx = get_local_id(0), ly = get_local_id(1) + 1, x = get_global_id(0),
              y = get_global_id(1);
    t[ly][lx] = in[y * 16 + x];
    if (ly == 1)
        t[0][lx] = y > 0 ? in[(y - 1) * 16 + x] : 0;
    if (ly == 8)
        t[9][lx] = y < 15 ? in[(y + 1) * 16 + x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 16 + x] = t[ly - 1][lx] + t[ly + 1][lx] + t[ly][lx - 1] + t[ly][lx + 1];
}
