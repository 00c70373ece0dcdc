// run: st 16x16/8x8
// global: float 256 = iota
// global: float 256 = 0
// expect: uninitialised 22
__kernel void st(__global const float* in, __global float* out) {
    __local float t[10][10];
    const int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, x = get_global_id(0),
              y = get_global_id(1);
    t[ly][lx] = in[y * 16 + x];
    if (lx == 1)
        t[ly][0] = x > 0 ? in[y * 16 + x - 1] : 0;
    if (lx == 8)
        t[ly][9] = x < 15 ? in[y * 16 + x + 1] : 0;
    if (ly == 1)
        t[0][lx] = y > 0 ? in[(y - 1) * 16 + x] : 0;
    if (ly == 8)
        t[9][lx] = y < 15 ? in[(y + 1) * 16 + x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            s += t[ly + dy][lx + dx];
    out[y * 16 + x] = s / 9;
}
