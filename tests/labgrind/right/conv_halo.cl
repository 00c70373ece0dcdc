// run: conv 64x32/16x16
// global: float 2048 = iota
// global: float 2048 = 0
// value: int 61
// value: int 30
// expect: nothing
#define R 2
#define T 16
__constant float mask[5] = {1, 4, 6, 4, 1};
__kernel void conv(__global const float* in, __global float* out, int w, int h) {
    __local float t[T + 2 * R][T + 2 * R];
    int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * T - R,
        y0 = get_group_id(1) * T - R;
    for (int y = ly; y < T + 2 * R; y += T)
        for (int x = lx; x < T + 2 * R; x += T) {
            int gx = x0 + x, gy = y0 + y;
            if (gx >= 0 && gx < w && gy >= 0 && gy < h)
                t[y][x] = in[gy * 64 + gx];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    int gx = get_global_id(0), gy = get_global_id(1);
    if (gx < R || gx >= w - R || gy < R || gy >= h - R)
        return;
    float s = 0;
    for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++)
            s += mask[j + R] * mask[i + R] * t[ly + R + j][lx + R + i];
    out[gy * 64 + gx] = s / 256;
}
