// run: k 16x16/8x8
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
#define T 8
__kernel void k(__global const float* d, __global float* o) {
    __local float t[T + 2][T + 2];
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, x = get_global_id(0),
        y = get_global_id(1), w = 16;
    t[ly][lx] = d[y * w + x];
    if (lx == 1)
        t[ly][0] = x > 0 ? d[y * w + x - 1] : 0;
    if (lx == T)
        t[ly][T + 1] = x < w - 1 ? d[y * w + x + 1] : 0;
    if (ly == 1)
        t[0][lx] = y > 0 ? d[(y - 1) * w + x] : 0;
    if (ly == T)
        t[T + 1][lx] = y < w - 1 ? d[(y + 1) * w + x] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[y * w + x] = t[ly][lx - 1] + t[ly][lx + 1] + t[ly - 1][lx] + t[ly + 1][lx];
}
